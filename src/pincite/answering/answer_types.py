"""What kind of answer a question asks for, and whether a sentence holds one.

"How many" wants a number, "when" a date or a time, "how long" a duration, "how much" money or
an amount, "who" a name, "how do I" an instruction. The cues are words of many languages; a
question in a language without cues simply expects nothing, and nothing is held against it.
"""

from __future__ import annotations

import re
from collections.abc import Set

NUMBER, DATE, DURATION, MONEY, PERCENT = "number", "date", "duration", "money", "percent"
NAME, PLACE, REASON, METHOD, YES_NO = "name", "place", "reason", "method", "yes_no"

_QUESTION_CUES: tuple[tuple[str, str], ...] = (
    (
        DURATION,
        r"\bhow (?:long|soon|quickly|fast)\b|\bhow many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)\b"
        r"|\bwie lange\b|\bwie schnell\b|\bcombien de temps\b|\bcu[aá]nto tiempo\b"
        r"|\bquanto tempo\b|\bhoe ?lang\b|\bhvor lenge\b|\bkak dolgo\b|\bкак долго\b"
        r"|сколько времени|\bne kadar s[uü]re\b|كم من الوقت|कितने समय|多久|多长时间|どのくらいの(?:期間|時間)|何(?:年|日|時)間|얼마나 오래",
    ),
    (
        NUMBER,
        r"\bhow (?:many|far|tall|old|large|big|high|deep|wide|heavy|often|big)\b|\bnumber of\b|\bwhat (?:year|age|number|size|population)\b"
        r"|\bwie ?viele?\b|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bquant[oaie]s?\b|\bhoeveel\b|\bhvor mange\b"
        r"|\bсколько\b|\bkaç\b|\bكم\b|कितन[ेीा]|多少|几[个位次年]|幾|いくつ|何(?:人|個|回|冊|本|台|枚)|몇",
    ),
    (
        MONEY,
        r"\bhow much\b|\bwhat (?:does|do|did|is|are|was) .{0,40}(?:cost|price|fee|charge)s?\b|\b(?:cost|price|fee|charge)s?\b"
        r"|\bwas kostet\b|\bwie ?viel kostet\b|\bcombien coûte\b|\bcu[aá]nto cuesta\b|\bquanto custa\b|\bquanto costa\b"
        r"|\bсколько стоит\b|多少钱|いくら|얼마",
    ),
    (PERCENT, r"\bpercent(?:age)?\b|\bwhat (?:share|proportion)\b|%|\bprozent\b|\bpourcentage\b|\bporcentaje\b|процент|百分"),
    (
        DATE,
        r"\bwhen\b|\bwhat (?:year|date|day|month|time|century|decade)\b|\bin which (?:year|month|century)\b|\bsince when\b|\bhow early\b|\bdeadline\b"
        r"|\bwann\b|\bin welchem jahr\b|\bquand\b|\bquelle (?:ann[ée]e|date)\b|\bcu[aá]ndo\b|\bqu[eé] a[nñ]o\b|\bquando\b|\bque ano\b|\bwanneer\b"
        r"|\bnår\b|\bкогда\b|\bв каком году\b|\bne zaman\b|\bhangi yıl\b|\bمتى\b|कब\b|什么时候|何时|哪一?年|いつ|何年|何月|언제|몇 년",
    ),
    (
        NAME,
        r"\bwho(?:se|m)?\b|\bwhich (?:person|company|team|author|president|king|queen|actor|singer)\b|\bwhat (?:is|was|are) the names?\b"
        r"|\bwer\b|\bwem\b|\bwen\b|\bqui\b|\bqui[eé]n(?:es)?\b|\bquem\b|\bchi\b|\bwie is\b|\bhvem\b|\bкто\b|\bкого\b|\bkim\b|\bمن هو\b|\bمن\b|किसने|कौन|谁|誰|だれ|누가|누구",
    ),
    (
        PLACE,
        r"\bwhere\b|\b(?:what|which) (?:city|country|state|place|town|region|continent|location|river)\b"
        r"|\bwo\b|\bwohin\b|\bwoher\b|\boù\b|\bd[oó]nde\b|\bonde\b|\bdove\b|\bwaar\b|\bhvor\b|\bгде\b|\bnerede\b|\bأين\b|कहाँ|कहां|哪里|哪儿|在哪|どこ|어디",
    ),
    (
        REASON,
        r"\bwhy\b|\bfor what reason\b|\bwhat (?:caused|causes|is the reason|was the reason)\b|\bwarum\b|\bwieso\b|\bweshalb\b|\bpourquoi\b|\bpor qu[eé]\b"
        r"|\bperch[eé]\b|\bwaarom\b|\bhvorfor\b|\bпочему\b|\bneden\b|\bلماذا\b|क्यों|为什么|为何|なぜ|왜",
    ),
    (
        METHOD,
        r"\bhow (?:do|can|could|should|would|to|does one)\b|\bwhat (?:steps|should i do|do i do|do i need to do)\b|\bsteps to\b"
        r"|\bwie (?:kann|können|mache|setze|funktioniert)\b|\bcomment (?:faire|puis|peut)\b|\bc[oó]mo (?:puedo|se|hacer)\b|\bcomo (?:posso|fazer|fa[cç]o)\b|\bcome (?:posso|si|fare)\b"
        r"|\bhoe (?:kan|moet|doe)\b|\bhvordan\b|\bкак (?:мне|можно|сделать)\b|\bnasıl\b|\bكيف\b|कैसे|如何|怎么|怎样|どうやって|どのように|어떻게",
    ),
    (
        YES_NO,
        r"^(?:and |but |so |also )?(?:is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|had|am)\b"
        r"|^(?:ist|sind|kann|können|darf|muss|hat|haben|gibt)\b|^est-ce\b|^(?:peut|puis|dois)-|吗[？?]?$|ですか[？?]?$",
    ),
)
_CUES = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _QUESTION_CUES)

_MONTHS = (
    r"jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|mar(?:ch|s)?|märz|apr(?:il)?|may|mai|june?|juni|juin|july?|juli|juillet|aug(?:ust)?|août"
    r"|sept?(?:ember|embre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember)?|décembre|février"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|янв\w*|фев\w*|март\w*|апрел\w*|ма[яй]|июн\w*|июл\w*|август\w*|сент\w*|октя\w*|нояб\w*|дека\w*"
)
_DIGIT = r"[0-9\u0660-\u0669\u0966-\u096f\uff10-\uff19]"
_NUMBER_WORD = (
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundreds?|thousands?|millions?|billions?|dozens?|half|once|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|два|две|три|четыре|пять)\b"
)
_UNIT_OF_TIME = (
    r"seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|working days?|sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre"
    r"|jours?|semaines?|mois|ans?|années?|heures?|d[ií]as?|semanas?|meses|años?|horas?|dias?|anos?|giorni|settimane|mesi|anni|ore"
    r"|дн\w*|недел\w*|месяц\w*|лет|год\w*|час\w*|минут\w*"
)
_EVIDENCE: dict[str, re.Pattern[str]] = {
    NUMBER: re.compile(rf"{_DIGIT}|{_NUMBER_WORD}|[一二三四五六七八九十百千万億]{{1,}}[个個人年月日次回名位]", re.IGNORECASE),
    DATE: re.compile(
        rf"\b1[0-9]{{3}}s?\b|\b20[0-9]{{2}}s?\b|\b(?:{_MONTHS})\b|{_DIGIT}+ ?[年月日]|\b\d{{1,2}}[:.]\d{{2}}\b|\b\d{{1,2}} ?[ap]\.?m\b"
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b\d{1,2}(?:st|nd|rd|th) century\b|\b(?:noon|midnight|today|tomorrow)\b|सन|में [0-9]",
        re.IGNORECASE,
    ),
    DURATION: re.compile(
        rf"(?:{_DIGIT}|{_NUMBER_WORD})[\w\s.,–-]{{0,14}}?\b(?:{_UNIT_OF_TIME})\b|{_DIGIT}+ ?(?:年|天|日|小时|小時|时间|時間|週間|か月|個月|个月|分|년|일|시간)",
        re.IGNORECASE,
    ),
    MONEY: re.compile(
        rf"[$€£¥₹₽]|\b(?:usd|eur|gbp|chf|dollars?|euros?|pounds?|cents?|pence|francs?|yen|rupees?|рубл\w*|евро)\b|\bfree(?: of charge)?\b|{_DIGIT}+ ?[元円원]"
        rf"|\b(?:kosten(?:los|frei)|gratis|gratuit)\b",
        re.IGNORECASE,
    ),
    PERCENT: re.compile(r"%|\bper ?cent\b|\bpercent\b|٪|百分之|\bprozent\b|процент", re.IGNORECASE),
    REASON: re.compile(
        r"\bbecause\b|\bdue to\b|\bso that\b|\bin order\b|\bsince\b|\btherefore\b|\bcaused?\b|\bresult(?:s|ed|ing)?\b|\bas a result\b|\bthus\b|\breasons?\b|\bto (?:avoid|prevent|protect|ensure|allow)\b"
        r"|\bweil\b|\bdamit\b|\bdeshalb\b|\bparce que\b|\bporque\b|\bdebido\b|\bперш\b|потому|из-за|因为|由于|所以|ため|から|때문",
        re.IGNORECASE,
    ),
    METHOD: re.compile(
        r"\b(?:click|choose|select|open|press|go to|enter|type|run|use|send|contact|call|write|print|sign in|log in|set|turn|remove|insert|hold|follow|create|add|download|install|visit|fill|tap)\b"
        r"|\bby \w+ing\b|\bsteps?\b|\byou (?:can|must|need|should)\b|\bklicken\b|\bwählen\b|\böffnen\b|\bcliquez\b|\bhaga\b",
        re.IGNORECASE,
    ),
}
_HARD = (NUMBER, DATE, DURATION, MONEY, PERCENT)


def expected_types(question: str) -> frozenset[str]:
    """The answer types the question's wording asks for; empty when it names none."""
    found = {kind for kind, cue in _CUES if cue.search(question)}
    if DURATION in found or MONEY in found:
        found.discard(NUMBER)
    if METHOD in found:
        found -= {NAME, PLACE}
    return frozenset(found)


def holds(kind: str, words: str) -> bool:
    """Whether `words`, the part of a sentence the question did not say, hold such an answer."""
    return bool(_EVIDENCE[kind].search(words))


def hard_types(expected: Set[str]) -> list[str]:
    """Those expected types that a sentence visibly has or lacks, in a fixed order."""
    return [kind for kind in _HARD if kind in expected]
