"""What kind of answer a question asks for, and whether a sentence holds one.

"How many" wants a number, "when" a date or a time, "how long" a duration, "how much" money or
an amount, "who" a name, "how do I" an instruction. The cues are words of many languages; a
question in a language without cues expects nothing, and nothing is held against it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Set

from pincite.answering.patterns import whole_words

NUMBER, DATE, DURATION, MONEY, PERCENT = "number", "date", "duration", "money", "percent"
NAME, PLACE, REASON, METHOD, YES_NO = "name", "place", "reason", "method", "yes_no"

HARD_TYPES = (NUMBER, DATE, DURATION, MONEY, PERCENT)
"""The types a sentence visibly has or lacks."""


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# One line a language or family of cues; scripts without spaces between words have no \b.
_QUESTION_CUES: dict[str, re.Pattern[str]] = {
    DURATION: _any_of(
        (
            r"\bhow (?:long|soon|quickly|fast)\b",
            r"\bhow many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)\b",
            r"\bwie (?:lange|schnell)\b",
            r"\bcombien de temps\b",
            r"\bcu[aá]nto tiempo\b",
            r"\bquanto tempo\b",
            r"\bhoe ?lang\b",
            r"\bhvor lenge\b",
            r"\bкак долго\b|\bсколько времени\b",
            r"\bne kadar s[uü]re\b",
            r"كم من الوقت|कितने समय|多久|多长时间",
            r"どのくらいの(?:期間|時間)|何(?:年|日|時)間|얼마나 오래",
        )
    ),
    NUMBER: _any_of(
        (
            r"\bhow (?:many|far|tall|old|large|big|high|deep|wide|heavy|often)\b",
            r"\bnumber of\b|\bwhat (?:age|number|size|population)\b",
            r"\bwie ?viele?\b",
            r"\bcombien\b",
            r"\bcu[aá]nt[oa]s?\b",
            r"\bquant[oaie]s?\b",
            r"\bhoeveel\b",
            r"\bhvor mange\b",
            r"\bсколько\b",
            r"\bkaç\b",
            r"\bكم\b|कितन[ेीा]|多少|几[个位次年]|幾|いくつ|何(?:人|個|回|冊|本|台|枚)|몇",
        )
    ),
    MONEY: _any_of(
        (
            r"\bhow much\b|\b(?:cost|price|fee|charge)s?\b",
            r"\b(?:was|wie ?viel) kostet\b",
            r"\bcombien coûte\b",
            r"\bcu[aá]nto cuesta\b",
            r"\bquanto (?:custa|costa)\b",
            r"\bсколько стоит\b",
            r"多少钱|いくら|얼마",
        )
    ),
    PERCENT: _any_of(
        (
            r"\bpercent(?:age)?\b|\bwhat (?:share|proportion)\b|%",
            r"\bprozent\b|\bpourcentage\b|\bporcentaje\b|процент|百分",
        )
    ),
    DATE: _any_of(
        (
            r"\bwhen\b|\bwhat (?:year|date|day|month|time|century|decade)\b",
            r"\bin which (?:year|month|century)\b|\bdeadline\b",
            r"\bwann\b|\bin welchem jahr\b",
            r"\bquand\b|\bquelle (?:ann[ée]e|date)\b",
            r"\bcu[aá]ndo\b|\bqu[eé] a[nñ]o\b",
            r"\bquando\b|\bque ano\b",
            r"\bwanneer\b|\bnår\b",
            r"\bкогда\b|\bв каком году\b",
            r"\bne zaman\b|\bhangi yıl\b",
            r"\bمتى\b|कब\b|什么时候|何时|哪一?年|いつ|何年|何月|언제|몇 년",
        )
    ),
    NAME: _any_of(
        (
            r"\bwho(?:se|m)?\b|\bwhat (?:is|was|are) the names?\b",
            r"\bwhich (?:person|company|team|author|president|king|queen|actor|singer)\b",
            r"\bwe[rmn]\b",
            r"\bqui\b|\bqui[eé]n(?:es)?\b|\bquem\b|\bchi\b",
            r"\bhvem\b|\bwie is\b",
            r"\bкто\b|\bкого\b|\bkim\b",
            r"\bمن\b|किसने|कौन|谁|誰|だれ|누가|누구",
        )
    ),
    PLACE: _any_of(
        (
            r"\bwhere\b",
            r"\b(?:what|which) (?:city|country|state|place|town|region|continent|location|river)\b",
            r"\bwo(?:hin|her)?\b",
            r"\boù\b|\bd[oó]nde\b|\bonde\b|\bdove\b",
            r"\bwaar\b|\bhvor\b",
            r"\bгде\b|\bnerede\b",
            r"\bأين\b|कहाँ|कहां|哪里|哪儿|在哪|どこ|어디",
        )
    ),
    REASON: _any_of(
        (
            r"\bwhy\b|\bfor what reason\b|\bwhat (?:caused|causes|is the reason|was the reason)\b",
            r"\b(?:warum|wieso|weshalb)\b",
            r"\bpourquoi\b|\bpor qu[eé]\b|\bperch[eé]\b",
            r"\bwaarom\b|\bhvorfor\b",
            r"\bпочему\b|\bneden\b",
            r"\bلماذا\b|क्यों|为什么|为何|なぜ|왜",
        )
    ),
    METHOD: _any_of(
        (
            r"\bhow (?:do|can|could|should|would|to|does one)\b",
            r"\bwhat (?:steps|should i do|do i do|do i need to do)\b|\bsteps to\b",
            r"\bwie (?:kann|können|mache|setze|funktioniert)\b",
            r"\bcomment (?:faire|puis|peut)\b",
            r"\bc[oó]mo (?:puedo|se|hacer)\b",
            r"\bcomo (?:posso|fazer|fa[cç]o)\b|\bcome (?:posso|si|fare)\b",
            r"\bhoe (?:kan|moet|doe)\b|\bhvordan\b",
            r"\bкак (?:мне|можно|сделать)\b|\bnasıl\b",
            r"\bكيف\b|कैसे|如何|怎么|怎样|どうやって|どのように|어떻게",
        )
    ),
    YES_NO: _any_of(
        (
            r"^\W*(?:(?:and|but|so) )?(?:is|are|was|were|do|does|did|can|will)\b",
            r"^\W*(?:(?:and|but|so) )?(?:may|must|has|have|had|am|could|would|should)\b",
            r"^\W*(?:ist|sind|kann|können|darf|muss|hat|haben|gibt)\b",
            r"^\W*est-ce\b|^\W*(?:peut|puis|dois)-",
            r"吗\W*$|ですか\W*$",
        )
    ),
}

_DIGIT = r"[0-9\u0660-\u0669\u0966-\u096f\uff10-\uff19]"
_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen eighteen twenty thirty forty fifty sixty seventy eighty ninety hundreds? thousands? "
    "millions? billions? dozens? half once twice zwei drei vier fünf sechs sieben acht neun zehn "
    "deux trois quatre cinq dos tres cuatro cinco два две три четыре пять"
)
_MONTHS = (
    r"jan(?:uary|uar|vier)? feb(?:ruary|ruar)? mar(?:ch|s)? märz apr(?:il)? ma[yi] june? juni juin "
    r"july? juli juillet aug(?:ust)? août sept?(?:ember|embre)? o[ck]t(?:ober|obre)? "
    r"nov(?:ember|embre)? de[cz](?:ember)? décembre février enero febrero marzo abril mayo junio "
    r"julio agosto septiembre octubre noviembre diciembre январ\w* феврал\w* марта? апрел\w* "
    r"ма[яй] июн\w* июл\w* август\w* сентябр\w* октябр\w* ноябр\w* декабр\w*"
)
_TIME_UNITS = (
    r"seconds? minutes? hours? days? weeks? months? years? decades? centur(?:y|ies) sekunden? "
    r"minuten? stunden? tagen? tage wochen? monaten? monate jahren? jahre jours? semaines? mois "
    r"ans? années? heures? d[ií]as? semanas? meses años? horas? anos? giorni settimane mesi anni "
    r"ore дн\w* недел\w* месяц\w* лет год\w* час\w* минут\w*"
)


def _one_word(words: str) -> str:
    return whole_words("|".join(words.split()))


_EVIDENCE: dict[str, tuple[str, ...]] = {
    NUMBER: (
        _DIGIT,
        _one_word(_NUMBER_WORDS),
        r"[一二三四五六七八九十百千万億]+[个個人年月日次回名位]",
    ),
    DATE: (
        r"\b(?=\d)(?:1[0-9]{3}s?|20[0-9]{2}s?"
        r"|\d{1,2}(?:(?:st|nd|rd|th) century|[:.]\d{2}| ?[ap]\.?m))\b",
        _one_word(_MONTHS + " noon midnight today tomorrow"),
        rf"{_DIGIT}+ ?[年月日]",
        whole_words("mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?"),
    ),
    DURATION: (
        rf"(?:{_DIGIT}|{_one_word(_NUMBER_WORDS)})[\w\s.,–-]{{0,14}}?{_one_word(_TIME_UNITS)}",
        rf"{_DIGIT}+ ?(?:年|天|日|小时|小時|时间|時間|週間|か月|個月|个月|分|년|일|시간)",
    ),
    MONEY: (
        r"[$€£¥₹₽]",
        r"\b(?:usd|eur|gbp|chf|dollars?|euros?|pounds?|cents?|pence|francs?|yen|rupees?)\b",
        r"\bрубл\w*|\bевро\b|\bfree(?: of charge)?\b|\b(?:kosten(?:los|frei)|gratis|gratuit)\b",
        rf"{_DIGIT}+ ?[元円원]",
    ),
    PERCENT: (r"%|\bper ?cent\b|٪|百分之|\bprozent\b|процент",),
    REASON: (
        whole_words(
            "because|due to|so that|in order|since|therefore|thus|caused?|result(?:s|ed|ing)?|"
            "reasons?|to (?:avoid|prevent|protect|ensure|allow)|weil|damit|deshalb|parce que|"
            "porque|debido"
        ),
        r"потому|из-за|因为|由于|所以|ため|から|때문",
    ),
    METHOD: (
        whole_words(
            r"click|choose|select|open|press|go to|enter|type|run|use|send|contact|call|write|"
            r"install|visit|fill|tap|by \w+ing|steps?|print|sign in|log in|set|turn|remove|insert|"
            r"hold|follow|create|add|download|you (?:can|must|need|should)|klicken|wählen|öffnen|"
            r"cliquez|haga"
        ),
    ),
}


@functools.cache
def _evidence(kind: str) -> re.Pattern[str]:
    return _any_of(_EVIDENCE[kind])


def expected_types(question: str) -> frozenset[str]:
    """The answer types the question's wording asks for; empty when it names none."""
    found = {kind for kind, cue in _QUESTION_CUES.items() if cue.search(question)}
    if found & {DURATION, MONEY}:
        found.discard(NUMBER)
    if METHOD in found:
        found -= {NAME, PLACE}
    return frozenset(found)


def holds(kind: str, words: str) -> bool:
    """Whether `words`, the part of a sentence the question did not say, hold such an answer."""
    return bool(_evidence(kind).search(words))


def hard_types(expected: Set[str]) -> list[str]:
    """Those expected types that a sentence visibly has or lacks, in a fixed order."""
    return [kind for kind in HARD_TYPES if kind in expected]
