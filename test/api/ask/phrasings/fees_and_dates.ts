/** Due dates, UCR fees, numbers in words, and one number for another. See phrasings.ts. */
export const FEES_AND_DATES = `
when is the MCS-150 due for DOT 286764 => due_date dot:286764
MCS-150 due date 286764 => due_date dot:286764
when does 286764 have to file its mcs150 => due_date dot:286764
next biennial update for USDOT 1234567 => due_date dot:1234567
when is my MCS-150 due? my DOT is 1234567 => due_date dot:1234567
mcs 150 deadline dot 1234567 => due_date dot:1234567
what month is my biennial update due, dot# 21800 => due_date dot:21800
when do i need to update my mcs-150 usdot 21800 => due_date dot:21800
biennial update dedline for 1234567 => due_date dot:1234567
when's the mcs-150 due for MC 186800 => due_date mc:186800
due date 1234567 => due_date dot:1234567
mcs150 due dates for 286764, 295017 => due_date dot:286764 dot:295017
how long until the mcs-150 of 286764 is due => due_date dot:286764
does DOT 286764 file in odd or even years => due_date dot:286764
MCS150 duedate 286764 => due_date dot:286764
when does the bienial update of 286764 expire => due_date dot:286764
when is my MCS-150 due => missing:carrier due_date
mcs-150 due date => missing:carrier due_date
UCR for 12 trucks in 2026 => ucr_fee vehicles=12 year=2026
UCR fee for 12 trucks => ucr_fee vehicles=12
how much is UCR for 4 vehicles => ucr_fee vehicles=4
what does UCR cost for a fleet of 25 => ucr_fee vehicles=25
ucr 12 power units 2027 => ucr_fee vehicles=12 year=2027
2026 UCR fee 3 trucks => ucr_fee vehicles=3 year=2026
UCR fee for a dozen trucks => ucr_fee vehicles=12
how much is ucr for twenty-five trucks => ucr_fee vehicles=25
ucr for two dozen power units next year => ucr_fee vehicles=24 year=next
unified carrier registration fee for one truck => ucr_fee vehicles=1
I run half a dozen trucks, what's my UCR => ucr_fee vehicles=6
ucr for a hundred and twenty vehicles => ucr_fee vehicles=120
UCR fee, 1,001 trucks, 2027 => ucr_fee vehicles=1001 year=2027
ucr for two thousand five hundred tractors => ucr_fee vehicles=2500
what will I pay for UCR in 2027 with 15 tractors and 30 trailers => ucr_fee vehicles=15 year=2027
ucr with 10 trucks and 5 buses => ucr_fee vehicles=15
12 power units in 2026, ucr? => ucr_fee vehicles=12 year=2026
I'm an owner operator with a single truck, how much is UCR this year => ucr_fee vehicles=1 year=this
UCR for a couple of trucks => ucr_fee vehicles=2
UCR fee for a broker => ucr_fee vehicles=0
how much is UCR for a freight broker in 2026 => ucr_fee vehicles=0 year=2026
ucr with no trucks => ucr_fee vehicles=0
ucr cost 21 trucks 2025 => ucr_fee vehicles=21 year=2025
which UCR bracket is 15 trucks => ucr_fee vehicles=15
ucr feee for tweleve trucks => ucr_fee vehicles=12
UCR fees 12 trcuks => ucr_fee vehicles=12
ucr 5 => ucr_fee vehicles=5
ucr 2026 => missing:vehicles ucr_fee year=2026
UCR for my 40 truck fleet => ucr_fee vehicles=40
12-truck fleet UCR 2026 => ucr_fee vehicles=12 year=2026
fee for unified carrier registration, eight power units => ucr_fee vehicles=8
how much do I owe for ucr if I have 7 units => ucr_fee vehicles=7
ucr for 2026 trucks in 2027 => ucr_fee vehicles=2026 year=2027
how much is the UCR fee => missing:vehicles ucr_fee
ucr? => missing:vehicles ucr_fee
what is my UCR fee in 2026 => missing:vehicles ucr_fee year=2026
ucr for 10 to 20 trucks => ambiguous:vehicles ucr_fee
UCR fee for 3-5 trucks 2027 => ambiguous:vehicles ucr_fee year=2027
ucr for more than 20 trucks => ambiguous:vehicles ucr_fee
UCR for 2 or 3 trucks => ambiguous:vehicles ucr_fee
compare UCR for 12 trucks in 2026 and 2027 => ucr_fee vehicles=12 year=2026 year=2027
what DOT is MC 186800 => mc_to_dot mc:186800
what is the DOT number for MC 186800 => mc_to_dot mc:186800
convert MC 186800 to USDOT => mc_to_dot mc:186800
MC 186800 to DOT => mc_to_dot mc:186800
mc-143229 dot number? => mc_to_dot mc:143229
which usdot holds docket MC143229 => mc_to_dot mc:143229
find the dot for mc# 143229 => mc_to_dot mc:143229
who has MC 143229 => lookup mc:143229
dot numbers for MC 186800 and MC 143229 => mc_to_dot mc:186800 mc:143229
usdot numbr of mc 186800 => mc_to_dot mc:186800
what is the MC number for DOT 286764 => dot_to_mc dot:286764
MC for 286764 => dot_to_mc dot:286764
dot 286764 to mc => dot_to_mc dot:286764
does DOT 286764 have an MC number => dot_to_mc dot:286764
what mc does usdot 286764 use => dot_to_mc dot:286764
docket number of DOT 286764 => dot_to_mc dot:286764
mc numbers for 286764 and 295017 => dot_to_mc dot:286764 dot:295017
convert usdot 286764 to mc number => dot_to_mc dot:286764
is dot active => missing:carrier check status=active
what's the safety rating => missing:carrier check rating
check a carrier => missing:carrier lookup
look up a dot number => missing:carrier lookup
what is the dot number for my mc => missing:carrier mc_to_dot
is DOT 123456789 active => invalid:dot check status=active
dot 0 => invalid:dot lookup
MC 000 => invalid:mc lookup
is dot 5551234567 legit => declined trust
`;
