/**
 * Short forms in daily use: the short form, a colon, and its full names, all folded. Tails of compound names, such as
 * Seun for Oluwaseun, follow from `elements.ts` and need not be listed.
 */
export const SHORT_FORMS = `
abasi: abasiama
abba: abbas
abbey: abiodun abiola abimbola
abby: abigail
abdul: abdullahi abdulrahman abdulaziz abdulkarim abdulkadir abdulrazaq abdulmalik abdulsalam abdullateef abdulhakeem abdulwahab abdulganiyu abdulrasheed abdulmumin abdulsamad
abi: abigail abimbola abiola abiodun abisola
abu: abubakar
abubakar: abubakarsadiq
ada: adaeze adaobi adaora adanna adamma adaugo adachi adaku
adesua: adesuwa
adun: adunni adunola
afam: afamefuna
aish: aisha
aishy: aisha
aize: aizehi
akpo: akpofure akpobome
alex: alexander
alexis: alexander
ama: amarachi amaka
amaka: chiamaka nwamaka uzoamaka nneamaka ukamaka chukwuamaka
amara: amarachi amarachukwu chiamara
andy: andrew
angel: angela
angie: angela
ani: aniekan aniefiok
ann: annabel hannah
annie: ann anna
anu: anuli anuoluwapo anuoluwa
anuli: anulika
aondo: aondover aondoakaa aondona
arinze: arinzechukwu
audu: abdullahi abdu
austin: augustine
ayeba: ayebatonye ayebaemi
ayiba: ayibaebi ayibatari ayibanengi
azu: azubuike azuka
baba: babagana babangida
bala: balarabe
bami: bamidele bamitale bamigboye
bashar: bashir
batul: fatimabatul
bayo: adebayo olubayo
bea: beatrice
beatty: beatrice
beckie: rebecca
becky: rebecca
ben: benjamin benedict bernard
benny: benjamin benedict
bess: elizabeth
beth: elizabeth
betty: elizabeth
biddy: bridget
bilki: bilkisu
bilky: bilkisu
bill: william
billy: william bilkisu
bimb: abimbola
bimbo: abimbola
binta: bintu
biodun: abiodun
biola: abiola
bisi: adebisi olabisi
bob: robert
bobby: robert
bode: olabode abode
bose: abosede
bosede: abosede
boye: adeboye gbadeboye adegboye
bridgy: bridget
brume: oghenebrume
buba: abubakar
bubakar: abubakar
buike: azubuike chibuike
bukar: abubakar
buki: bukola
bukky: bukola olubukola oluwabukola adebukola
buky: bukola
bunmi: olubunmi oluwabunmi
carol: caroline
cathy: catherine
ceci: cecilia
cecy: cecilia
celia: cecilia
charley: charles
charlie: charles
chi: chioma chinyere chiamaka chidinma chika chinedu
chichi: chioma chinyere chinwe chiamaka chidinma chinenye
chidi: chidiebere chukwudi chidiogo chidike
chike: chikezie
chinwe: chinwendu chinweuba chinweokwu
chris: christopher christian
chrissy: christiana christina christine
christy: christiana christina christine
chuka: chukwuka
chuks: chukwuemeka chukwudi chukwuma chukwuka ikechukwu
cilla: priscilla
cj: chijioke
clem: clement
cy: cyril
dag: dagogo
dami: damilola damilare damola oluwadamilola oluwadamilare
damilola: oluwadamilola
damz: damilola
dan: daniel
danny: daniel
dantani: dantanimu
dare: damilare
dave: david
davy: david
debbie: deborah
debby: deborah
debo: deborah
deeja: khadija
deji: ayodeji adedeji oladeji
dele: bamidele ayodele oladele akindele adedele
dera: chidera
dick: richard
dija: khadija
dije: khadija
dimma: chidinma
dinma: chidinma
dolapo: ifedolapo adedolapo oludolapo
dolly: dorothy dorcas dolapo
doo: doosuur dooshima doofan
dora: dorothy theodora
dotun: adedotun oladotun
doubra: doubrapade
doyin: adedoyin
dozie: chidozie chukwudozie
drew: andrew
dubem: chidubem
dunni: adunni
dupe: modupe modupeola modupeoluwa
ebele: ebelechukwu
ebere: eberechi eberechukwu chidiebere
ebi: ebiere ebikabowei ebiowei ebimobowei ebitimi ebitari ebiakpo
ebube: ebubechukwu ebubedike
ebuka: chukwuebuka nnaebuka chiebuka
ebun: ebunoluwa ebunola
ed: edward edwin
eddie: edward edwin
eddy: edward edwin
edi: ediomo edidiong
edidiong: edidiongobong
edu: chinedu
eesha: aisha
efe: efemena efemenaoghene efetobo
efuna: afamefuna
eghe: egheosa
ehi: ehimare ehizojie ehiremen
ehis: ehizojie ehimare ehiosun
ejiro: oghenejiro
ek: ekaette
eka: ekaette
ekene: ekenedilichukwu ekenechukwu ekenedirichukwu
eki: ekiuwa
ekom: ekomobong
eli: elijah elisha
eliza: elizabeth
emeka: chukwuemeka nnaemeka chiemeka
emem: ememobong
emma: emmanuel
emmy: emmanuel
eni: eniola enitan eniolorunda
eno: enobong enoabasi
eny: eniola
ernie: ernest
essy: esther
esta: esther
esty: esther
ev: evelyn
eve: evelyn
evy: evelyn
ezi: ezinne ezinwa
ezzy: ezekiel
fala: falmata
fatee: fatima
fati: fatima
fatty: fatima
fejiro: oghenefejiro
feli: felicia
felo: felix
fely: felicia
fina: josephine
fisayo: oluwafisayo olufisayo adefisayo
fise: oluwafise
flo: florence
flora: florence
flossy: florence
fola: folake folasade folarin folashade folajimi folaranmi folawiyo
folake: afolake
fran: frances
franca: frances francisca
frank: francis
franky: francis
fred: frederick alfred wilfred
freddy: frederick
funke: olufunke oluwafunke adefunke
funmi: funmilayo olufunmilayo oluwafunmilayo funmilola oluwafunmi olufunmi funmibi
gab: gabriel
gabby: gabriel
gabi: gabriel
gana: babagana
gbemi: gbemisola oluwagbemi olugbemi oluwagbemiga
gbemiga: oluwagbemiga olugbemiga
gbenga: olugbenga oluwagbenga
gbola: gbolahan
gbolahan: oluwagbolahan
gboyega: adegboyega
geo: george
georgie: george
gid: gideon
gin: regina
gina: georgina regina
glo: gloria
goke: adegoke olagoke
greg: gregory
habu: abubakar
hadiza: hadizatu
hajju: hajara
hajo: hajara
hali: halima
haly: halima
hassan: alhassan
hauwa: hauwau
hez: hezekiah
ibi: ibinabo ibiso ibiere ibironke
ibk: ibukun ibukunoluwa
ibukun: ibukunoluwa ibukunolu oluwaibukun
idara: idaraesit
ido: idorenyin
idong: idongesit
idris: idrisu
idy: idorenyin idongesit idara
ife: ifeoluwa ifedayo ifedolapo ifetayo
ifeanyi: ifeanyichukwu
ifey: ifeoma ifeyinwa
ify: ifeoma ifeyinwa ifeanyi
ij: ijeoma
ije: ijeoma
iju: ijeoma
ike: isaac ikechukwu ikenna
ikenna: ikennachukwu
ima: imaobong imabong imaabasi
indo: aisha
ini: iniobong inimfon iniubong iniabasi
inno: innocent
ire: iretiola ireoluwa iretunde
ireti: iretiola iretioluwa
iso: isoken
itoro: itoroobong
ivie: iviemere
iyanu: iyanuoluwa
izu: izuchukwu izunna
izzy: isaac israel
jackie: jacqueline
jacky: jacqueline
jade: jadesola
jadesola: ojadesola
jen: jennifer
jenny: jennifer
jerry: jeremiah gerald jeremy
jide: jideofor jidechukwu jidenna
jideofor: ijideofor
jiks: chijioke
jim: james
jimi: folajimi olujimi
jimmy: james
jioke: chijioke
jo: joseph josephine
joe: joseph
joey: joseph
johnny: john
joke: adejoke olajoke jokotola
jon: jonathan
josephina: josephine
josh: joshua
josie: josephine
josy: josephine
jude: judethaddeus
judy: judith
julie: juliana juliet
july: juliana
jumoke: olajumoke adejumoke
juwon: olajuwon adejuwon oluwajuwon
kabs: kabir
kainene: kainenechukwu
kaira: kairaluchukwu
kambili: kambilichukwu
kamsi: kamsiyochukwu kamsiyonna
kanayo: kanayochukwu anayo
kansola: oyinkansola
kaodi: chikaodi chikaodiri
kaodili: chikaodili
karo: oghenekaro
kate: catherine
kathy: catherine
katie: catherine
kayode: olukayode oluwakayode
kc: kelechi kenechukwu kenechi
kechi: nkechi nkechinyere
kehny: kehinde
keji: morenikeji
kelechi: kelechukwu
kels: kelechi
kemi: oluwakemi
kemisola: oluwakemisola
ken: kenneth kenechukwu
kene: kenechukwu
kenna: ikenna
kenny: kenneth kehinde
keny: kehinde
kevwe: oghenekevwe
kike: kikelomo
kiki: kikelomo
kola: kolawole kolade kolapo adekola
kole: kolawole
kore: koredele oluwakorede
korede: oluwakorede
kosi: kosisochukwu
koya: adekoya
kudi: kudirat
kufre: kufreabasi
labi: afolabi
labisi: olabisi
lamide: olamide
lanre: olanrewaju lanrewaju
lara: omolara
larry: lawrence
layo: funmilayo titilayo
lekan: olalekan olamilekan
leke: adeleke abileke
leo: leonard
lil: lilian
lily: lilian
lima: halima
lisa: elizabeth
liz: elizabeth
lizzie: elizabeth
lizzy: elizabeth
lola: omolola damilola titilola
lope: tolulope
lulu: louisa
lyd: lydia
maduka: madukaife
mag: margaret magdalene
magda: magdalene
maggi: margaret
maggie: margaret
maggy: margaret
mai: maimuna
mairo: maryam
maka: chiamaka
mami: maryam
mamman: muhammad
manny: emmanuel
manuel: emmanuel
marty: martha
matt: matthew
max: maxwell
maxi: maxwell
meemah: maryam
meena: amina
meg: margaret
mekus: chukwuemeka emeka
mena: efemena
merc: mercy
meri: mary
mex: emeka chukwuemeka
mezie: chimezie
mfon: mfonobong mfoniso mfonabasi
mick: michael
mide: olumide ayomide olamide oluwadamide
mike: michael
mikky: michael
mimi: miriam mimidoo
mina: wilhelmina amina
mine: oghenemine
mma: mmachukwu mmesoma
mmeso: mmesoma mmesomachukwu
mngu: mngunengen mnguember
mo: modupe
modu: mohammed
mofe: mofeoluwa mofetoluwa
moji: mojisola mojirola mojirade mojirayo mojisoluwa
moni: monica monisola
mope: mopelola
more: morenikeji morenike moronke
mudi: mahmud
mulika: mulikat
muna: maimuna
munachi: munachimso
mune: maimuna
mustee: mustapha
musti: mustapha
musty: mustapha
muyiwa: olumuyiwa oluwamuyiwa
nafi: nafisa
namdi: nnamdi
nana: hannah
nas: nasir
nat: nathaniel
nate: nathaniel
nath: nathaniel
ndi: ndifreke
ndidi: ndidiamaka
ndu: chinwendu
ndy: ndifreke ndiana ndiyo
nedu: chinedu
nell: helen
nelly: helen eleanor cornelia
nelo: chinelo
nenna: nnenna
nenye: chinenye
ngee: ngozi
ngo: ngozi
ngozi: ngozichukwu ngozika
ngu: nguvan ngunan
nick: nicholas
nicky: nicholas
nifemi: oluwanifemi
nike: morenike morenikeji adenike
nimi: oluwanimilo oluwanimi nimilola
niola: eniola
niyi: adeniyi olaniyi oluniyi
nkechi: nkechinyere nkechinyerem
nkem: nkemdilim nkemdirim nkemakonam nkemjika nkemefuna
nkiru: nkiruka
nma: nmachi nmasinachi
nnam: nnamdi
nne: nneka nnenna nneoma nneamaka
nneka: nnekachi
nonso: chinonso chukwunonso
nosa: nosakhare nosayaba
nosakhare: uwanosakhare
nse: nseobong nsikak nseabasi
nsi: nsikak
nsikak: nsikakabasi
nwaka: nwakaego
nwanne: nwanneka
nwe: chinwe
nwendu: chinwendu
nyere: chinyere
oby: obiageli obianuju
obi: obinna obiora obioma obiajulu obiefuna obidike obiechina obianuju obiageli obichukwu
obim: obinna
ochuko: oghenechuko
ofon: ofonime ofonmbuk
oge: ogechi ogechukwu ogechukwukama
oghene: oghenekaro oghenetega
ogo: ogochukwu ogonna
okechi: okechukwu
okey: okechukwu
okwudi: okwudilichukwu okwudili
okwudili: okwudilichukwu
ola: olamide olawale olabisi oladele olatunji olakunle olamilekan olayinka
olami: olamide olamilekan olamiposi
olu: oluchi oluchukwu
oluchi: oluchukwu
oma: chioma ifeoma ijeoma nneoma
onyeka: onyekachi onyekachukwu
onyi: onyinye onyinyechi onyinyechukwu
onyii: onyinye
ope: opeyemi opeoluwa
opey: opeyemi
ore: oreoluwa oreofe oreofeoluwa
osa: osagie osaretin osaze osahon osamudiamen osarodion osayande osaro osamuyi
osaru: osarugue
osas: osaretin osagie osasere osasogie osasumwen osazuwa osamudiamen
osaze: osazemwinde
ose: oseghale oseremen osemudiamen
osita: ositadimma ositadinma
oto: otobong
otobong: otobongabasi
ovie: oviemuno
oyin: oyindamola oyinlola oyinkansola oyinade oyintari oyinpreye oyintare
oyinda: oyindamola
ozi: ozioma
ozy: ozioma
paddy: patrick
pade: adepade
pat: patrick patricia patience
patsy: patricia
patty: patricia
pauly: paulina
peggy: margaret
peju: adepeju morepeju olapeju
pels: pelumi oluwapelumi
pelumi: oluwapelumi
pemi: pelumi
pere: pereowei perekeme
perez: pereowei
pet: peter
pete: peter
phil: philip philomena
philo: philomena
pipe: oluwapipe
pipeloluwa: oluwapipeloluwa
posi: olamiposi
presh: precious
preye: oyinpreye preyefa
pris: priscilla
rach: rachel
rahi: rahila
raph: raphael
ray: raymond rachel
renike: morenike
rich: richard
rick: richard
ricky: richard
rob: robert
ron: ronald
ronke: ibironke aderonke olaronke omoronke adeyeronke oyeronke
ronnie: veronica
ronny: ronald ronke aderonke
rony: veronica
rose: rosemary roseline
rosy: rose rosemary
rotimi: oluwarotimi olurotimi
ruka: rukayat
rukevwe: oghenerukevwe
rukky: rukayat
ruky: rukayat
sade: folasade folashade
sady: sadiya
safi: safiya
sally: sarah
sam: samuel samson
sammy: samuel
sandra: alexandra
sandy: sandra alexandra
sanmi: oluwasanmi olusanmi
sayo: oluwafisayo
seiye: seiyefa
sesan: oluwasesan olusesan
sesugh: sesughter
sewa: oluwasewa
seyi: oluseyi oluwaseyi adeseyi
shatu: aisha
sheri: sherifat
shima: dooshima
shina: olusina adesina
simi: simisola similoluwa simisoluwa
sina: olusina adesina
sly: sylvester
soji: olusoji adesoji oluwasoji
sola: olusola adesola omosola oluwasola jadesola
solo: solomon
som: chisom
soma: somadina
somie: somtochukwu
somto: somtochukwu
somy: somtochukwu
sop: sopuruchukwu
sope: oluwasope olasope
sopuru: sopuruchukwu
soso: sotonye
stan: stanley
steph: stephanie
steve: stephen
stevo: stephen
sule: suleiman
sunbo: olasunbo omosunbo adesunbo
sunkanmi: olasunkanmi adesunkanmi oluwasunkanmi
sunmi: adesunmi
sunny: sunday
supo: olasupo adesupo
susie: susannah
suzy: susannah
syl: sylvester
tade: adetade
tamuno: tamunotonye tamunoibi tamunoemi tamunosaki
tari: oyintari tarinye ebitari ayibatari
taye: taiwo
ted: edward theodore
tega: oghenetega
temi: temitope temilade temitayo temilola temiloluwa temidayo temidire temisan temisola
ter: terver tersoo terhemba terkimbi terna terseer
terry: theresa terence
tersee: terseer
tess: theresa
tessy: theresa
theo: theophilus theodore
tim: timothy
timi: oluwatimilehin timilehin timileyin ebitimi timipre timiebi
timilehin: oluwatimilehin
timileyin: oluwatimileyin
timmy: timothy
tina: christina augustina clementina justina ernestina christiana valentina
titi: titilayo titilope titilola titilade
tity: titilayo titilope
tobe: tobechukwu tobenna
tobenna: otobenna
tobi: oluwatobi oluwatobiloba tobiloba
tobiloba: oluwatobiloba
toby: tobechukwu oluwatobi tobi
tochi: tochukwu
tola: omotola adetola oluwatola titola olatola
tolu: toluwani toluwalase tolulope oluwatolu tolulase
tolulope: oluwatolulope
toluwani: oluwatoluwani
tom: thomas
tomi: oluwatomi oluwatomiwa tomilola tomiwa oluwatomisin
tomisin: oluwatomisin
tomiwa: oluwatomiwa adetomiwa
tommy: thomas
toni: oluwatoni
tony: anthony
tonye: tamunotonye ayebatonye
tope: temitope titilope
tosin: oluwatosin
toyin: oluwatoyin
tricia: patricia
trish: patricia
tumi: oluwatumininu tumininu
tunde: babatunde
tunji: olatunji adetunji ayotunji akintunji
tunmise: oluwatunmise
ubong: ubongabasi
uche: uchenna uchechukwu uchechi ucheoma
udo: udochukwu udoka
udoka: udokachukwu
uduak: uduakobong uduakabasi
ufu: ufuoma
ugee: ugochi
ugo: ugochukwu ugonna ugochi ugoeze
uju: obianuju ujunwa adaujunwa ujuaku
uk: ukamaka
unwana: unwanaobong
utibe: utibeabasi
uty: uduak utibe
uwani: hauwa
uyi: osamuyi uyiosa omoruyi
uzo: uzoma uzoamaka uzochukwu
val: valentine
vero: veronica
vic: victor
vickie: victoria
vicky: victoria
vikky: victoria
viky: victoria
vin: vincent
vinny: vincent
viv: vivian
vivi: vivian
wande: yewande
will: williams
willy: williams
winnie: winifred
winny: winifred
wonu: adewonuola
wunmi: omowunmi oluwawunmi adewunmi
wura: wuraola
yaga: yagana
yemi: opeyemi
yemisi: oluyemisi adeyemisi oluwayemisi
yeti: yetunde
yetty: yetunde
yewa: yewande
yinka: olayinka adeyinka oluyinka folayinka ayoyinka
yinks: yinka olayinka
yomi: abayomi olayomi oluyomi oluwayomi
yusha: yushau
yvy: yvonne
zach: zechariah
zack: zechariah
zai: zainab
zainy: zainab
zara: chizara chizaram fatimazara
zaza: zainab
zee: zainab
zeenat: zainab
zeke: ezekiel
zik: azikiwe
zim: chizim
zinny: ezinne
zitere: chizitere
zoba: chizoba
zoe: uzoamaka
zuru: chizuru
`;
