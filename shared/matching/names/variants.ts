/**
 * Spellings of names, folded. Each line contains the spellings of one name. Reviewed by hand, because sound alone would
 * merge Abdullahi with Abdulkadir. Spellings with the same key in `../spelling.ts`, such as Shola and Sola, need not be
 * listed.
 */
export const VARIANTS = `
mohammed muhammad mohamed mohammad muhammed muhamad muhammadu mohamad mohamadu mamadu mamadou mohd muhd moh md mamman muhamed mahammad mahamman mohamet muhammadou mahamadu momodu momoh mohammadu
mahmud mahmoud mahmood mamud mamuda mahmuda
ahmed ahmad ahmadu amadu ahamed ahmat ahmadou amodu ahmod
hamid hameed hamidu hamed abdulhamid
mustapha mustafa mustapher musthafa moustapha mustafah musta mustaph
murtala murtada murtadha murtaza muritala murtalla
ibrahim ebrahim ibraheem ibrahima ibrahimu braimoh braimah buraimoh buraimo ibrahin ibrohim ibro
yakubu yaqub yakub yaqoob yakoub yacub yakubou yacouba yaqubu
yusuf yusufu yousuf yousef yusuph yousouf yusif yesufu yusup yusouf isufu
usman uthman othman ousmane osman usmanu usmaan uthmaan osuman usmane
umar umaru omar oumar umarou omaru umara umoru oumarou umaar
abubakar abubakr abubaker aboubacar abubacar bubakar bukar boubacar abubakari abubakare abubakre habubakar aboubakar abukakar bubacar
suleiman sulaiman sulayman sulaimon suleman sulaman suleyman soulemane souleymane solaiman sulaimann solomon suleimanu sulemana sulaimana sule
ismail ismaila ismaeel ismael ismailu ishmael esmail sumaila isma ismaele isimaila
aliyu ali alliu aliu alli aliou aliyyu alhiyu
idris idrees idrisu idriss idriz
haruna harun haroun harouna haroon haruuna
musa moussa mussa
isa isah issa isau eesa isse issah isaa eissa
yahaya yahya yahia yahyah yahayah yaya
zakari zakariya zakariyya zakaria zakariyau zakarya zakariyyah
nuhu nuh nuhou
dauda dawud dawood daud daouda dawoud dauwda
jibril jibrin jibrilu jibreel gibril djibril djibrilla jibrila
ishaq ishaku isiaka ishiaku ishak isiaq isyaku isiyaku ishaqu isyaka ishiaka ishaka
ayuba ayub ayyub ayoub ayuub
yunusa yunus younus yinusa yunis yunusah
lukman luqman lukuman lukmon luqmaan luqmanu
bashir bashiru basheer bashiri basir basiru bashirou bachir
nasir nasiru nasser nassir naser nasirou nasseer naasir
kabir kabiru kabeer kabirou kabiri kabbir
sani sanni saani saniyu saniu
sanusi sanus senusi sanoussi sanusy
lawal lawali lawwal lawan lawalu lawaal auwal auwalu awwal awal awalu awwalu auwalou
tijjani tijani tidjani tijane tijaniyu tijanni tijjaniyya
sadiq sadik sadiqu sadeeq sodiq sadiku siddiq siddique saddiq sidiq siddiku saddik sadique sodeeq sadeek sadiqq
rashid rasheed rashidu rasheedu rasid raseed rasidi rashidi rasaheed
karim kareem karimu kareemu kareeem karimi
kasim kasimu kazeem kassim qasim qassim kazim kasum kasumu qaseem kaseem kassimu
latif lateef latifu latifou latef lateefu
hakim hakeem hakimu akeem akim hakeemu
said saidu saeed saheed sayeed sahid saeedu saidou
shehu sheu shehou shaihu shehuu shaikhu
salihu salih saleh salihi saliu salihou saalih saliihu
zubair zubairu zubeir zubeiru zubayr zubaru
faruk farouk faruq farooq faruku farouq faruqu forouk
habib habibu habeeb habibi habeebu
jamil jamilu jameel jamiel jamilou
aminu amin aminou ameen amino amiin
shuaibu shuaib shuaibou suaibu shuayb suaib shuaeb shoaib
ridwan ridwanu rilwan rilwanu ridhwan rizwan ridwaan redwan ridwanullah ridwanullahi ridwanulahi
taofeek taofiq tawfiq taofik taufiq taufik tofik towfeek taofeeq toufik toufeek
mubarak mubaraq mobarak mubarik muibarak
mudashiru mudasiru mudathir mudassir mudasir mudashir mudashirou modasiru mudathiru
kamaldeen kamaludeen kamaluddeen kamaluddin kamardeen kamarudeen kamorudeen kamoru kamalideen kamaludin kamardin qamarudeen kamarudin kamalu kamal kamaladeen
nurudeen nuruddeen nuradeen nuruddin nuraddeen nureni nurain nurudin nooruddeen nurideen
salahudeen salaudeen salahuddeen salahuddin salaudin saladin salahadeen salaudee salawudeen
shamsudeen shamsuddeen samsudeen shamsideen samsideen shamsuddin shamsu samsu shamsudin
sirajudeen siraj siraju sirajo sirajuddeen
sharafadeen sarafadeen sharafa sarafa sarafudeen sharafudeen
badmus badamasi badmas badamosi badamus
badrudeen badiru badru badrudin badirudeen
fakhruddeen fakhrudeen fakrudeen
zainudeen zainuddeen
imamudeen imamuddeen
najimdeen najimudeen najeemdeen najeem najim najimu nojeem nojimu nojim
moshood mashood masud masudi mashhud mashudu masood moshoud masoud mosud mashud
jamiu jamiyu jaamiu jamiiu jamihu
wasiu wasiyu wasi wasihu wosiu
rafiu rofiu rafi rafiyu rafihu
rauf raufu abdulrauf raaufu raouf
ganiyu ganiu ghaniyu abdulganiyu ghani ganihu gani
hussaini hussein husseini hussain husaini huseini hussaine useni husain hosseini hussaeni hussayn ussaini
hassan hasan hassane hasssan asani alasan alhassan alhasan lasan lassan
hamza hamzat hamzah hamsat hamzatu
hashim hashimu hasheem hasim hashimou
ilyasu ilyas iliyasu iliyas iliasu illiyasu illiasu iliya elia elyas
imran imrana imraan imaran
jaafar jafar jafaru jaafaru jaffar jafaar
junaid junaidu junayd juneidu juned
khalid khaleed halid khalidu halidu kaleed kalid haleed haalid
khalil khaleel halil halilu halilou khalilu
khamis hamisu hamis hamishu
hadi alhadi
maaruf maroof maruf marufu marouf maroufu
mikail mikailu mikaeel mikhail mikaila mikaili
mansur mansuru mansour mansor mansoor
muazu muaz muazzu muadh
mukhtar muktar mukhtaru muktari mukhtari mukthar mocktar moukhtar muktaru mukhtarr
munir muniru muneer munirou moneer
muhyideen muhydeen muideen moyideen muhyiddeen muyideen muydeen moideen muhideen
muizz muiz mueez moiz
muslim muslimu musilimu
mutairu mutahir mutairou mutaru mutaheer
mutiu mutiyu mutihu
nafiu nafiyu nafihu nafi
najib najibu najeeb nagib najibullah
nazifi nazif nazifu nazeef
nazir nazeer naziru
nura nuraa
quadri kadiri qadri kadri kadir qadir kadiru qadiri kodir quadir quodri
rabiu rabiyu rabihu rabio
raji raaji rajih
ramadan ramadhan ramalan ramzan ramoni rhamadan ramodan
raimi rahimi rahim raheem rahimu
razaq razak rasaq rasak rasaki razaki razzaq razaak rosaki
rufai rifai rufaii rufayi
sabo
sabir sabiru sabeer
sabiu sabiyu
saminu samin
sambo samboo
shafiu safiu shafiyu sofiu shafii
shakiru shakir sakiru shakeer sakiri
sikiru shikiru zikru zikiru dhikrullah sikirulahi sikirulai sikirullahi dhikru dikrullah zikrullah zikrullahi
surajo surajudeen suraju surajuddeen
tahir tahiru taheer taiir taher tahirou
tajudeen taju tajuddeen tajudin tajuddin
tasiu tasiyu
tasleem taslim tasilim
tanimu tanimou
tukur tukuru
wahab wahabi abdulwahab waheb
waheed wahid wahidi waidi waeed waheedi
yasir yasser yaseer yasiru
yekini yekeen yakeen yakini yaqeen
yushau yusha
zaid zayd zaidu
zayyanu zayyan
buhari bukhari buhary buhri
bilal bilalu
bello belo bellow bellou
garba garuba garbah garbaa garbou
gambo gamboo
danladi danladee
danjuma danjumma
adamu adam adamou adammu
audu abdu audou
jimoh jimo jumah jumoh jimmoh
shittu situ shitu sitou shitou
salami salam salaami salaam abdulsalami salamu
salawu salau sallau
lasisi lasis lasisie
gafar gafaru gaffar gafari ghaffar gafare
amusa hamusa
alabi
akanbi akambi
ayinla
mumuni mumin muminu mumini momin mumuney
babangida babagida
yaro
kyari kiari
bulama
kachalla kachallah kachala
modu moodu
mele
shettima shetima shittima
zanna zana
grema
sheriff sherif sharif shariff sharifu
abdullahi abdulahi abdullah abdulla abdallah abdulai abdulhi abdoulaye abdullai abdalla abdulaye abdulahhi abdulaah abdellah
abdulaziz abdulazeez abdulazis abdulaseez abdulazee abdlaziz abdelaziz azeez aziz azizu azees azizi
abdulrahman abdurrahman abdulrahaman abdurahman abdulrahmon abdurrahaman abdulraman abdurrahmane abdelrahman abdulrahamon abdramane abdurraman rahman rahaman rahmon rahamon
abdulrahim abdulraheem abdurrahim abdurraheem abdulrahem abdurahim
abdulrazaq abdulrazak abdurrazaq abdulrasaq abdulrazzaq abdulrasak abdurrazak abdulrazaak abdulrosaq abdulrazzak
abdulkadir abdulqadir abdulkadiri abdulqodir abdulkadri abdulkodir abdulqaadir abdulkader abdulquadri abdulqadri abdulkadr abdulqudir abdulquadir
abdulsalam abdussalam abdulsalami abdussalami abdulsalaam abdusalam abdusalami abdulsalaami
abdulkarim abdulkareem abdulkarimu abdulkarem abdulcareem
abdulmumin abdulmumini abdulmuminu abdulmumeen
abdulmalik abdulmaleek abdulmaliq abdulmalek malik maliki maleek maliq
abdulmajid abdulmajeed majid majeed abdulmojeed mojeed mojid abdulmageed
abdulhakeem abdulhakim
abdulhameed
abdullateef abdullatif abdulateef abdulatif abdlateef
abdulsamad abdussamad samad abdulsomod abdulsamod somod abdusamad
abdulwaheed abdulwahid
abdulwasiu abdulwasi
abdulganiy abdulghaniy abdulgani abdulghani
abdulfatah abdulfatai fatai fattah abdulfattah fatah abdulfattai fatayi
abdulgafar abdulgaffar abdulghaffar abdulgafaar
abdulbasit abdulbaasit basit abdulbasith basiti
abdulhafiz hafiz hafeez hafizu abdulhafeez
abduljabbar abduljabar jabbar jabar
abduljalil abduljaleel jalil jaleel
abdulnasir abdunnasir abdulnasiru abdulnaseer
abdulsobur abdulsabur sobur sabur abdussabur
abdulshakur abdushakur shakur abdulshakoor abdusshakur shakoor
abdultawab abdultawwab tawwab tawab
abdulquddus quddus kudus abdulkudus kuddus
abdulyekeen
abdulazim abdulazeem azeem azim
abdulhadi
abdulmutalib abdulmutallab mutalib mutallab abdulmuttalib
abdulwadud wadud
aisha aishatu ayesha aishat aisa aishah aysha aissatou aisatu ayishat aishetu ayisha aesha eesha aishattu aysat aishata ayishatu ashatu aicha aissata aisata
fatima fatimah fatimatu fatimat fatimo fatimoh fatuma fatoumata fatimata fatoum fateema fathima fati fatu fatmah fatma patimat fadima fateemah fatumatu
falmata falmatta falta faltaa
faiza faizah faizat
khadija hadiza khadijat khadijah hadizatu kadija kadijat khadeejah khadijatu adijat hadija adija kadijatu hadijat hadizat khadeeja khadeejat adijatu kadijah
maryam mariam maryamu mariamu maryama meriam maryamah mairo mariama mariyam mariamo maryom meryem mairam mariya
zainab zaynab zainabu zeinab zainabe zenab zaineb zenabu zainap sainab zeynab zainaba senabu zenabou
halima halimat halimatu halimah haleemah haleemat halimo alimat alimatu halimata halimot alimot haleema
rukayya rukayat rukayyat ruqayyat ruqayya rukaiya rukayyah rukayatu rukaiyat rukiya ruqayyah rukaya ruqayat rukayyatu rukeeyat ruqoyyah rukoyat rukayah
rakiya rakiyat rakia raqiya
hauwa hawwa hauwau hawa hawawu hawau hauwwa hauwah awawu hawwau hawah
amina aminat aminatu aminah ameena ameenat aminata aminot ameenah aminatou
bilkisu bilkis bilqis bilqees bilkees bilkisa balkisu balqis bilikisu bilikis balkis
hafsat hafsa hafsatu habsat hafsah hafza hafsot habsatu afusat hafusat hafusatu
safiya safiyyah safiyat safiyya safia safiyyat safiyatu safiyah safeeyah
asmau asma asmaa hasmau asmawu
jamila jamilat jamilah jamilatu jameela jameelah
sadiya saadiya saadiyya sadia saadia sadiyat saadiyat
saadatu sadatu saadat saadata
saudatu saudat sauda saudata sawdat
rahma rahmat rahmatu ramatu ramat rahmah rahamatu rahamat ramatullah rahmatullah rahamata rahama ramota ramatou rahmot ramotu rhama
saratu sarah sara saratou saara sarat
nafisa nafisat nafisatu nafeesat nafeesah nafissa nafisah nafeesa
sakina sakinat sakinatu sakinah sekinat sekinatu
sherifat sharifat sharifa sherifatu sharifah sherifa
kudirat qudirat kudrat qudrat kudratu kudiratu qudrah
habiba habibat habibatu habibah habeebat habeebah abibat abibatu
maimuna maimunat maimunatu maymuna maimouna maimunah maymunah maimunot
hajara hajarat hajaratu hajarah hajar hadjara ajarat ajaratu hajarata
salamatu salamat salamata salama salamot
ummi umi umme
zulaihat zulaiha zulaihatu zuleihat zuleikha zulaykha suleihat zulekha zulai zulaikha zulaikhat zuleikat zuleiha
zuwaira zuwairat zuwairah zuwera zuweira zuwaratu
zahra zahrah zara zahara zarah zahrau zaharau zarau
risikat rizikat risiqat risqat rizqat risikatu rizqot
latifat lateefat latifa lateefah latifatu lateefa latifah
muinat muina moinat muinatu muinot
mulikat mulikatu mulika mulikah
basirat basira bashirat bashira basiratu bashirah basirah
karimat karima kareemat kareemah karimah karimatu kareema
rashidat rashida rasheedat rasheedah rasidat rashidah rashidatu rasheeda
muniratu munirat munira muneerat munirah
shakirat shakira sakirat sakiratu shakirah sakira
sikirat sikiratu zikrat
sumayya sumayyah sumaiya sumayyat sumaya sumayat sumaiyya
murjanatu murjanat murja murjana
mufutau muftau mufutahu muftahu miftahu
nana
asiya asiyat asiyah aasiyah asia assia
asibi
balaraba
bintu binta bint bintou bineta
bushra bushrat busrat busra bushrah busirat
farida faridat faridah fareedah fareedat fareeda faridatu
firdausi firdaus firdaws firdausa firdos
ganiyat ganiyatu ghaniyat ganiat
hanifa hanifat hanifah haneefat haneefah
hassana hassanat hassanah asanat hasana
hussaina hussainat husseina usainat hussainah useina
iman imaan
jummai jumai jumme jumma
juwairiya juwayriya juwairiyya juwairia
kaltum kaltume kulthum kulsum kulthoom kaltumi kulthuma ummukulthum ummukhulthum ummulkulthum ummikaltum ummukaltum
kubra kubrah kubura kuburat kubrat
ladi
ladidi
lami
lubabatu lubaba lubabat
mardiya mardiyya mardiyah mardiyyah mardia
medinat madinat medina madinah madina medinatu
monsurat mansurat mansura monsura mansurah
mujidat majidat mojidat mujeedat majeedat
nabila nabeelah nabilat nabilah nabeela
naima naimat naimah naeemah neima
rabi rabiatu rabia rabiat rabiah robiat rabiyatu
raihanat raihana rayhana raihanatu raihan rehana reyhana
sahura
salma salmah salmat
samira samirah samirat sameera sameerah
shafaatu shafaat
shamsiyya shamsiya shamsiyyah samsiya shamsia
silifat silifatu suleifat
sidikat sidiqat sidiqah siddiqat siddiqa sidikatu sodikat sadiqat
sofiat sofiyat
suwaiba suwaibat
taibat taiba tayyibat toyibat tayyiba toyyibat taiyibat toyibah
talatu
tawakalitu tawakalit tawakaltu tawakkaltu
umaima umaimah
wasilat wasila wasilah wosilat
yagana yaganna
yakaka
zaliha zalihat zalihatu
zalika
zulfa zulfah zulfat
ummusalma ummisalma
adama adamah
goni gonni
babagana babaganna
chinonso chinoso chinonzo
chibuzo chibuzor chibuzoo
chinedu chinedum chineduh
chukwuma chukuma chukwumah chukwumma
chukwudi chukudi chukwudii
chukwuemeka chukuemeka chukwumeka chiemeka chukwuemaka chukwuemekaa
chukwuebuka chukuebuka chukwebuka
chukwunonso chukunonso
ikechukwu ikechuku ikechukwuh ikechukwuka
uchenna uchena uchennah
obinna obina obinnah
chijioke chijoke chijiokeh
nnamdi namdi nnamdii
onyekachi onyekachukwu onyekachuku onyekachim
azubuike azubike azubuikeh azubuikwe
chidiebere chidiebele chidebere
ogbonna ogbona ogbonnah
chinweike chinwike
chidinma chidimma chidima chidinmma
chinyere chinyerem chinyeren
ogechi ogechukwu ogechukwukama ogechuku ogechim
ogochukwu ogochuku
ifeoma ifoma ifeomah ifeyoma iphoma
nkemdirim nkemdilim nkemdirin nkemdilin
nneka nnekah neka
oluchi oluchukwu oluchuku
amarachi amarachukwu amarachukwuka
ezinne ezine ezinneh
nkiruka nkiru nkirukah
chizoba chizobam chizobah
chisom chisomaga chisomm
obiageli obiagaeli obiagheli obiageri
nwakaego nwakego
ifunanya ifunanyachukwu ifunaya ifunany
ugochukwu ugochuku ugochukwuh
tochukwu tochuku
kenechukwu kenechuku
kelechi kelechukwu kelechuku
okechukwu okechuku
ebelechukwu ebelechuku
ebubechukwu ebubechuku
udochukwu udochuku
izuchukwu izuchuku
anayo anayochukwu
nwachukwu nwachuku nwachukwuh
nwosu nwosuh nwosuo
okafor okafo okafour okaforr
okonkwo okonko okonkwor
okeke okekeh
okereke okerekeh
okoye okoyeh
okoro okoroh okorro
nnadi nadi nnadih
anyanwu anyawu anyanwuh
onyejekwe onyejeke onyejekweh
obioha obiohah
onwuka onwukah
chiamaka chiamakah chimamaka
kosisochukwu kosisochuku kosiso
kamsiyochukwu kamsiyochuku kamsiyonna
somtochukwu somtochuku
oluwaseun oluwasheun
oluwaseyi oluwasheyi
seun sheun
segun shegun
akinwunmi akinwumi akinwunmmi
olanrewaju olarewaju olanrewajuh lanrewaju
abiodun abiodum abidun biodun
gboyega adegboyega
oladipupo oladipo oladipopo dipupo dipo
kolawole kolawale kolawolle
mosunmola mosumola mosunmolla
omowunmi omowumi omowunmmi
wunmi wumi
ibironke ibiroke
iyabo iyabode iyabodeh
modupe modupeola modupeoluwa modupeh modupeore
abosede bosede bosedeh
oyindamola oyinda oyindamolla
opeyemi opeyemmi opeyemii
temitope temmitope temitoppe
titilayo titilayor
ayodele ayodelle ayodeleh
taiwo taiye taye tayewo taiyewo tai
kehinde kenny kehind keyinde kehindeh
idowu idowuh
adedayo adedayor
balogun balogoun balogunn
oshodi osodi
ogunbanjo ogunbanjoh
adesina adeshina
fashola fasola fasholla
shonekan sonekan
soyinka shoyinka soyinkah
tinubu tinubuh
alade aladeh
stephen steven stephan stephens stefan stevens
philip phillip philips phillips filip
matthew mathew mathews matthews mattew
geoffrey jeffrey jeffery jeffry geofrey geoffry
anthony antony antoni antonio antoine
jonathan johnathan jonathon jonatan
nicholas nicolas nicholaus nickolas
frederick fredrick frederic fredric fredrik fedrick
ezekiel ezekeil ezikiel ezekel
michael micheal mikael michel michaels
emmanuel emanuel immanuel emmanuael emmanual manuel emmannuel imanuel
sylvester silvester sylvestar
gregory gregori gregry
lawrence laurence lawrance laurent
jeremiah jeremia jeremy jeremih
alexander alexzander alexandar aleksander alexandre
augustine augustin austine austin agustine
theophilus theophillus teophilus
gideon gidion
obadiah obadia
samson sampson
samuel samual samuael samuell
thompson thomson tompson
williams william wiliam willams
daniel danial daniels danniel
peter pieter peters pita
paul pauls pawl
john jon johnn
johnson jonson
james jame jamse
christopher christoper kristopher cristopher
christian cristian kristian
benjamin benjamine binyamin benyamin bunyaminu bunyamin benjamen
bartholomew batholomew bartholomeu
benedict benedicts benedit
clement clemen clements
cornelius conelius
cyprian ciprian
cyril ciril syril
dominic dominick domnic
ebenezer ebenezar ebeneza ebenizer
edmund edmond
edward edwards
ephraim efraim ephriam
eugene ugene
felix phelix
francis
godfrey godfry
godspower godpower
goodluck gudluck
goodness goodnes
godwin goodwin
henry henri
hezekiah hezekia
humphrey humphery humfrey
ignatius ignatious
innocent inocent
isaiah isaia isiah
jerome gerome jerom
joachim joakim
joel joell
joshua joshuah jushua
josiah josia
julius julious
kenneth keneth kennet
kingsley kinsley kinglsey
leonard lenard
livinus levinus
lucky luckky
luke luka
malachy malachi
marcus markus
martin martins
maurice morris
nathaniel nathanael nathanel nataniel
nehemiah nehemia
onyebuchi onyebuchim
osita
oscar oskar
pascal paschal pascha
patrick patric patrik
pius pious
raphael rafael raphel
raymond raymon
reuben ruben
richard richards
robert roberts
roland rowland
rufus ruffus
sebastian sabastian sebastine sabastine
silas
simeon simon simion
sixtus
stanley stanly
terence terrence terrance
thaddeus thadeus
thomas tomas thommas
timothy timoty
titus
tobias
uriah
valentine valantine
victor viktor victar
vincent vinsent
vitalis
wilfred wilfrid
zebulon zebulun
deborah debora debrah deboral
rebecca rebekah rebeca rebbeca rebeccah
hannah hanna hana
esther ester hesther hester
elizabeth elisabeth elizabet elizabth elisabet
rachel rachael racheal rachiel rahel raheal
catherine katherine katharine catharine kathrine catrine cathrine katerina
theresa teresa therese
ann anne
kate cate
jennifer jenifer jeniffer jenniffer
philomena filomena philomina
cecilia cicilia cecelia caecilia sicilia
priscilla priscila pricilla
josephine josefine josephin
judith judit
evelyn eveline evelyne evelin
vivian vivien viviane
margaret magaret margret margarete magret
christiana christianah kristiana
christina kristina
christine kristine christin
christabel christabell
susannah susana susanna suzanna suzana susan suzan
tabitha tabita
agnes agness
agatha agata
alice alise
angela angella
angelina angeline
antonia anthonia antoniah
augustina agustina
beatrice beatrix betrice
benedicta benedictta
bridget brigid bridgit brigit bridgette
caroline carolin
charity charitty
clara klara
clementina clementine
comfort comfot confort
dorcas dorcus docas
dorothy doroty
doris
edith edit
eunice unice eunise
faith faithe
felicia philicia feliciah
florence florance
gloria gloriah
grace grase
helen hellen
irene ireen
jane jayne
janet janeth jannet
joan joann
joy joi
joyce joice
juliana julianah julliana
juliet juliette
justina justinah
lilian lillian
loveth lovet loveeth
lucy luci
lydia lidia
magdalene magdalena magdalen magdaline
martha marta
matilda mathilda
mercy mercie
miracle miracl
monica monicah monika
naomi noami
nancy nanci
patience patince
patricia patrica patrisha
pauline paulin
paulina polina
peace peas
precious presious precius
rhoda roda
rita ritta
rose roze
rosemary rosemarie
roseline rosaline rosalin roselyn roslyn
ruth rut
stella stela
stephanie stephany
sylvia silvia
veronica veronika
victoria viktoria
virginia virginea
winifred winifrid
yvonne ivonne evonne
favour favor
blessing blessin blesing
gift gifft
osaze osazee osase
ehis ehiz
efosa effosa
ekpenyong ekpeyong
asuquo asukwo
effiong efiong
bassey basey bassi
tersoo terso
aondoakaa aondoaka
ebikabowei ebikabowe
nosakhare nosakare
ekong ekoong
ekaette ekaete
iniobong inibong
affiong afiong
isoken isokhen
dooshima doshima
ebiere ebierre
igbinedion igbinidion
udo udoh
umoh umo
mba mbah
ribadu ribado
essien esien
oseghale osegale
osagie osagiede osaghie
osaretin osarentin
aigbe
eghosa egosa
idahosa idahose
omoruyi
aisosa
itohan ithohan
esosa
adesuwa adesua
okojie okogie
ubong
aniekan aniekanabasi
idongesit idongesid
utibe utibeabasi
ndifreke ndifrekeabasi
oghenekaro
oghenetega oghenetegha
efemena
ejiro ejiroghene oghenejiro
ese
onome onomen
ufuoma
rukevwe oghenerukevwe
tega
kesiena
akpan
etim
inyang
sotonye sotonyee
tonye
boma
ibinabo
tamunotonye
preye
abraham abram
jacob jacobs
joseph josef
aaron aron
moses mosis
zachariah zechariah zachary zacharia
noah
david davids
gabriel gabriell
isaac isaak isac issac izaak
job
jonah jona
elijah elija
elias
mary marie meri
maria mariah
miriam
eve eva
anna ana
lucas lukas
helena
chizara chizaram
chinaza chinazam chinazaekpere
chimdi chimdindu
ogbonnaya ogbonaya
chetachi chetachukwu
chimamanda chimamandah
ezinwanne ezinwane
munachiso munachimso
timilehin timileyin
olaoluwa olaolu
`;
