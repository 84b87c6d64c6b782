"""Words that are written with a full stop which does not end a sentence; folded to lower case."""

from __future__ import annotations

TITLES = frozenset(
    """
    dr mr mrs ms mx prof gen col lt sgt capt cpt cmdr cdr adm maj brig rev hon pres gov sen rep
    messrs fr supt det insp mt
    mme mlle mgr sr sra srta dra dña
    dott avv sig hr frl dipl ing dhr mevr drs ir
    """.split()
)
"""Written with a capital, they stand before a name."""

INTRODUCERS = frozenset(
    """
    e.g i.e eg ie cf vs viz lit tr transl translit ph approx ca circa c resp incl excl esp aka
    a.k.a mr mrs dr prof v d
    z.b d.h u.a s.o s.u i.d.r v.a o.ä u.ä z.t sog bzw ggf evtl inkl exkl zzgl vgl bspw abb
    p.ex c.-à-d c.à.d p.ej ee sig sig.ra
    bijv m.b.t d.w.z
    f.eks bl.a dvs jf pga
    т.е т.к г-н г-жа им ул рис см напр
    """.split()
)
"""The next word belongs to the same sentence, whatever it is."""

BEFORE_NUMBER = frozenset(
    """
    no nos nr nrs n° nº num núm number p pp pg pgs vol vols iss art arts para paras par pars
    sec secs sect cl cls sched reg regs ch chap app fig figs eq eqs eqn ref refs tab
    jan feb mar apr jun jul aug sep sept oct nov dec
    abs bd kap ziff tel s rn rz hs az anm abb aufl jg
    pág págs cap n t bl ln v vv l
    ст п пп гл рис табл стр
    kl bind ver rev ext op
    """.split()
)
"""No sentence ends between these and a number, letter or roman numeral."""

SOMETIMES_LAST = frozenset(
    """
    al a.m p.m b.c a.d b.c.e c.e ph.d d.phil s.r.l s.p.a gmbh u.s.w
    st usf tsd mio mrd uu г гг в вв руб тыс млн млрд
    """.split()
)
"""A sentence ends here only if the next word is one that begins sentences."""

SOMETIMES_LAST_CAPITALISED = frozenset(
    """
    ste inc ltd co corp llc llp plc bros jr sr dept div est assn assoc intl univ mfg
    ave blvd rd hwy sq ft sec
    jan feb mar apr jun jul aug sep sept oct nov dec
    mon tue tues wed thu thur thurs fri sat sun
    """.split()
)
"""The same, where they are written with a capital: `Sun.` is a day, `sun.` is a star."""

ALWAYS_LAST = frozenset("etc usw ecc".split())
"""A sentence ends here if a capital follows."""

LETTERED = frozenset(
    """
    vitamin vitamins plan point type option group class part section hepatitis grade team exhibit
    appendix schedule figure table category zone phase column row annex version series model level
    terminal gate building block unit room step clause drive
    """.split()
)
"""Before a single capital these say that it is a name, not the initial of one: plan B."""

SENTENCE_STARTERS = frozenset(
    """
    a about according accordingly additionally after all also although and another any anyone
    are as at be because before being both but by can consequently conversely despite do does
    don't due during each either even every everyone except finally first following for from
    further furthermore given had has have having he hence her here his how however i if in
    including initially instead is it its it's just last later let like likewise many
    meanwhile more moreover most much my nevertheless next no nobody none not nothing now of
    often on once one only or other others our over people perhaps please previously
    provided rather second several shall she should similarly since so some sometimes soon still
    such that the their then there therefore thereafter these they third this those
    though through throughout thus to today together under unless unlike until upon was we were
    what when whenever where whereas whether which while who why with within without
    would yet you your
    der die das den dem des ein eine einen einem einer er sie es wir ihr ich man im am an auf
    bei beim mit nach von vor zu zum zur aus für durch über unter und aber oder wenn da dann
    doch dieser diese dieses jeder jede jedes kein keine auch nur noch bereits seit während wie wo
    wer warum damit danach daher deshalb außerdem allerdings jedoch sein seine ihre nicht
    le la les un une il elle ils elles nous vous je ce cette ces cet c'est dans en au aux
    par pour avec sans sur sous mais ou et donc car si quand lorsque après avant selon son sa ses
    el los las una unos unas él ella ellos se su sus lo esta este estos estas ese esa de del
    al por para con sin sobre pero y o cuando como según desde hasta después antes también
    os um uma eles elas não na nas nos ao à da mas quando depois
    gli uno nel nella alla dopo prima anche
    het hij zij ze wij op met voor van maar toen dit dat deze
    det hun vi på ved med etter fra til men når som
    он она они оно мы вы я это этот эта эти в на с по из за от до для при но и а если когда
    после как что также однако
    """.split()
)
"""Words that begin a sentence far more often than they begin a name."""

MONTHS_AND_DAYS = frozenset(
    """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    et est edt ct cst cdt mt mst mdt pt pst pdt gmt utc cet cest bst
    januar februar märz mai juni juli oktober dezember
    montag dienstag mittwoch donnerstag freitag samstag sonntag
    """.split()
)
"""What follows a time of day without a sentence having ended."""
