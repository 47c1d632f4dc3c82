/** Questions tried by hand after the parser stood; it was changed for some. All are tuned. */
export const LATER = `
do you show 286764 as authorized for property => check dot:286764 authority
Is this carrier good to go? MC 186800 => lookup mc:186800
Can you tell me if DOT number 286764 is currently active and in good standing => check dot:286764 status=active
how often does dot 286764 get put out of service => declined oos_order dot:286764
What's 286764's OOS vs national average? => check dot:286764 oos
what's UCR gonna run me for 3 trucks next year => ucr_fee vehicles=3 year=next
carriers with more than 100 trucks in Texas => search "texas" declined:filters
Find trucking companies in Ohio with over 50 trucks => search "ohio" declined:filters
show me inactive carriers in Akron => search "akron" declined:filters
is Smith Carriers active => check name:"smith carriers" status=active
who's the biggest carrier => declined filters
what does inactive mean => declined explanations
what is an MCS-150 => declined explanations
when does UCR registration open => declined explanations
UCR deadline 2027 => declined explanations year=2027
how current is your data => declined explanations
do brokers pay UCR => ucr_fee vehicles=0
is 286764 a broker => declined licensing dot:286764
whats the legal name for 286764 => lookup dot:286764
my MC is 186800, what's my DOT? => mc_to_dot mc:186800
my dot is 286764 whats my mc => dot_to_mc dot:286764
MC#186800 / DOT#286764 => lookup mc:186800 dot:286764
Knight-Swift => search "knight swift"
3PL Logistics => search "3pl logistics"
Route 66 Trucking => search "route 66 trucking"
is 123 Trucking active => check name:"123 trucking" status=active
A-1 Express => search "a 1 express"
find safety first trucking => search "safety first trucking"
Dot Transportation => search "dot transportation"
is Dot Transportation active => check name:"dot transportation" status=active
First Insurance Hauling LLC => search "first insurance hauling llc"
Can u look up Estes Express Lines? => search "estes express lines"
estes express lines, richmond va => search "estes express lines richmond va"
Is J&M Trucking LLC (Tulsa, OK) active? => check name:"j m trucking llc tulsa ok" status=active
tell me when 286764 must update => due_date dot:286764
my mcs150 was due in april, dot 286764, am i late => check dot:286764 mcs150=overdue
what's the VIN of truck 12 => unknown
UCR for 1k trucks => ucr_fee vehicles=1000
compare DOT 1 2 3 and 4 => lookup dot:1 dot:2 dot:3 dot:4
which of 286764, 295017 and 21800 is inactive => check dot:286764 dot:295017 dot:21800 status=inactive
DOT286764ACTIVE? => check dot:286764 status=active
FF 77 => search "ff 77"
is FF 77 active => check name:"ff 77" status=active
is SCHNEIDER NATIONAL active => check name:"schneider national" status=active
does carrier 286764 hold an active MC => check dot:286764 authority
my dot number ends in 12 when is my mcs150 due => missing:carrier due_date
UCR 2027 owner operator => missing:vehicles ucr_fee year=2027
UCR fees table => missing:vehicles ucr_fee
drivers oos percentage for general transport => check name:"general transport" oos
companies in 44333 => missing:carrier lookup
carriers like Swift => search "swift"
who do I call about my DOT number => declined contact
are MC 186800 and MC 143229 the same company => compare mc:186800 mc:143229
is DOT 286764 the same as MC 186800 => compare dot:286764 mc:186800
does 286764 run hazmat loads => declined cargo dot:286764
how much will ucr cost me if i add 2 trucks to my 4 trucks => ucr_fee vehicles=6
Is General Transport Inc, DOT 286764, active? => check dot:286764 status=active
safty ratng of 286764 => check dot:286764 rating
whn is mcs150 due 286764 => due_date dot:286764
DOT 286764'; DROP TABLE carriers;-- => lookup dot:286764
286764 and 295017 >> are these carriers active? => check dot:286764 dot:295017 status=active
when is the mcs-150 of 286764 due and are they insured => due_date dot:286764 declined:insurance
how much is it for 12 trucks => ucr_fee vehicles=12
fee for more than 20 trucks => ambiguous:vehicles ucr_fee
compare 286764 with Werner Enterprises => compare dot:286764 name:"werner enterprises"
is 286764 active >> what about Werner Enterprises? => check name:"werner enterprises" status=active
is Blue River Trucking active >> the one in Dallas => check name:"blue river trucking in dallas" status=active
is Blue River Trucking active >> in Dallas => check name:"blue river trucking in dallas" status=active
who is mc 186800 and are they active => check mc:186800 status=active authority
`;
