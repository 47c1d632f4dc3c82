/** Look-ups and single checks of carriers named by number. One phrasing a line: see phrasings.ts. */
export const CARRIERS = `
286764 => lookup dot:286764
DOT 286764 => lookup dot:286764
usdot 286764 => lookup dot:286764
US DOT #286764 => lookup dot:286764
USDOT: 00286764 => lookup dot:286764
U.S. D.O.T. 286764 => lookup dot:286764
dot# 1,234,567 => lookup dot:1234567
MC 186800 => lookup mc:186800
MC-186800 => lookup mc:186800
mc186800 => lookup mc:186800
MC#186800? => lookup mc:186800
look up DOT 286764 => lookup dot:286764
lookup 286764 please => lookup dot:286764
can you look up carrier 286764 for me => lookup dot:286764
pull up dot 286764 => lookup dot:286764
run 286764 => lookup dot:286764
check mc 186800 => lookup mc:186800
who is DOT 286764? => lookup dot:286764
who's behind usdot 286764 => lookup dot:286764
whos mc 186800 => lookup mc:186800
tell me about USDOT 286764 => lookup dot:286764
what do you know about carrier 286764 => lookup dot:286764
give me everything on 286764 => lookup dot:286764
compliance check for DOT 286764 => lookup dot:286764
full report on dot number 286764 => lookup dot:286764
any issues with 286764? => lookup dot:286764
is DOT 286764 compliant => lookup dot:286764
info on us dot no. 286764 => lookup dot:286764
show me carrier details for dot 286764 => lookup dot:286764
lokup dot 286764 => lookup dot:286764
compliance chek 286764 => lookup dot:286764
carier 286764 => lookup dot:286764
which company has dot 286764 => lookup dot:286764
what company is MC 186800 => lookup mc:186800
286764 and 295017 => lookup dot:286764 dot:295017
check 286764, 295017 and 1234567 => lookup dot:286764 dot:295017 dot:1234567
DOTs 286764 295017 21800 => lookup dot:286764 dot:295017 dot:21800
look up DOT 286764 and MC 186800 => lookup dot:286764 mc:186800
MCs 186800, 143229 => lookup mc:186800 mc:143229
286764;295017;286764 => lookup dot:286764 dot:295017
is DOT 286764 active => check dot:286764 status=active
is 286764 active? => check dot:286764 status=active
is usdot 286764 still active => check dot:286764 status=active
is DOT 286764 inactive => check dot:286764 status=inactive
dot 286764 active? => check dot:286764 status=active
Is this DOT number active: 286764 => check dot:286764 status=active
what is the status of DOT 286764 => check dot:286764 status
status 286764 => check dot:286764 status
usdot status for 286764 => check dot:286764 status
is 286764 actve => check dot:286764 status=active
is dot 286764 inactve => check dot:286764 status=inactive
stauts of dot 286764 => check dot:286764 status
has 286764 been deactivated => check dot:286764 status=inactive
are 286764 and 295017 active? => check dot:286764 dot:295017 status=active
are these active: 286764, 295017, 21800 => check dot:286764 dot:295017 dot:21800 status=active
is MC 186800 active => check mc:186800 status=active authority
is mc-186800 still active? => check mc:186800 status=active authority
does DOT 286764 have active authority => check dot:286764 authority
does 286764 have operating authority? => check dot:286764 authority
is dot 286764 authorized => check dot:286764 authority
authority status for MC 186800 => check mc:186800 authority
operating athority of 286764 => check dot:286764 authority
is 286764 authorised for hire => check dot:286764 authority
does MC 186800 have authority to run => check mc:186800 authority
does MC-186800 have a conditional rating => check mc:186800 rating=conditional
is 286764 rated satisfactory => check dot:286764 rating=satisfactory
does dot 286764 have an unsatisfactory safety rating => check dot:286764 rating=unsatisfactory
is 286764 rated => check dot:286764 rating=rated
what is the safety rating of DOT 286764 => check dot:286764 rating
safety rating 286764 => check dot:286764 rating
whats the saftey rating for mc 186800 => check mc:186800 rating
fmcsa rating of usdot 286764? => check dot:286764 rating
is DOT 286764 conditonal => check dot:286764 rating=conditional
has 286764 ever been rated unsat => check dot:286764 rating=unsatisfactory
when was 286764 last rated => check dot:286764 rating
out of service rate for 286764 => check dot:286764 oos
what's the OOS rate of DOT 286764 => check dot:286764 oos
driver oos % for 286764 => check dot:286764 oos
vehicle out-of-service percentage, dot 286764 => check dot:286764 oos
is 286764 above the national average for out of service => check dot:286764 oos
how many inspections has DOT 286764 had => check dot:286764 oos
when was the last roadside inspection of 286764 => check dot:286764 oos
inspection history 286764 => check dot:286764 oos
inspecton summary for mc 186800 => check mc:186800 oos
out of servcie rates dot 286764 => check dot:286764 oos
has DOT 286764 filed its MCS-150 => check dot:286764 mcs150=filed
is the MCS-150 of 286764 up to date => check dot:286764 mcs150=filed
is the mcs150 overdue for 286764 => check dot:286764 mcs150=overdue
did 286764 file their biennial update => check dot:286764 mcs150=filed
is dot 286764 late on its mcs 150 => check dot:286764 mcs150=overdue
when did 286764 last file its MCS-150 => check dot:286764 mcs150
last mcs-150 date for DOT 286764 => check dot:286764 mcs150
mcs150 status 286764 => check dot:286764 mcs150
is biannual update past due for dot 286764 => check dot:286764 mcs150=overdue
MCS-150 outdated? 286764 => check dot:286764 mcs150=overdue
mcs-150 for MC 186800 current? => check mc:186800 mcs150=filed
how many trucks does DOT 286764 have => check dot:286764 fleet
how many power units does 286764 run => check dot:286764 fleet
fleet size of mc 186800 => check mc:186800 fleet
how many drivers does DOT 286764 have => check dot:286764 fleet
how big is 286764 => check dot:286764 fleet
where is DOT 286764 based => check dot:286764 location
what state is 286764 in => check dot:286764 location
where is mc 186800 located => check mc:186800 location
is 286764 interstate or intrastate => check dot:286764 operation
does DOT 286764 run interstate => check dot:286764 operation
UCR fee for DOT 286764 => check dot:286764 ucr
how much UCR does carrier 286764 owe => check dot:286764 ucr
what ucr bracket is dot 286764 in => check dot:286764 ucr
ucr for MC 186800 in 2027 => check mc:186800 ucr year=2027
is dot 286764 active and what is its safety rating => check dot:286764 status=active rating
status, rating and oos for 286764 => check dot:286764 status rating oos
safety rating and mcs-150 of 286764 and 295017 => check dot:286764 dot:295017 mcs150 rating
`;
