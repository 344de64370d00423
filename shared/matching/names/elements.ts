/**
 * The parts of compound names, folded. A head and a tail together are a known name, so that a similar known name counts
 * as a different name and not as a typing mistake. The tail alone is a short form of the name.
 */

/**
 * Heads with the same meaning, such as the words for God in Olufemi and Oluwafemi: the heads on a line are
 * interchangeable.
 */
export const EQUAL_HEADS = `
olu oluwa olorun
chi chukwu
abdul abdu abdur abdus abd abdel
oghene oghe
aondo aon

`;

/** Heads of Yoruba names. */
export const YORUBA_HEADS = `
olu oluwa olorun ade ola oye ayo akin ogun omo ife ibi iyi ire ore temi titi fola fade fala fe baba iya yewa
ifa fa awo odu ode oje oso osun sango oya oba alu abi aje ala eni ebun eye ewu tolu tiwa simi moji mofe mo
damil ibukun iyanu anu opeyemi ope igba inu ikeolu ile iwa kole kola oke ona oro owo owa oyin sobo sode some sola
sho so soto tanimola wura ogbon egun efun ebu ekun ero dada aina ajo alaba ara aro aso ate ati awe ayan ayin oyeni
`;

/** Tails of Yoruba given names and surnames. */
export const YORUBA_TAILS = `
bade bayo bayode bimbo bimpe bisi biyi bode bodunde bola bolaji bolanle bolu boye bukola bukunola bunmi bowale busayo busola
buyi damilare damilola damisi damola damope dapo dara darasimi dare dayo dele demi deji dipo dipupo dire dolapo dotun doyin
dunni dunmade dunmoye dunsin ebi esan fadeke fayo fe femi fisayo fela fikayo fimihan folahan foluke folake fowobi funbi funke
funmi funmibi funmilayo funmilola gbade gbadebo gbajumo gbami gbayi gbemi gbemiga gbemisola gbenga gbenle gbenro gbesan gbile
gbite gbola gbolahan gboye gboyega gbuyi goke goroye gunwa ibukun ifeoluwa isola iwalewa jare jide jimi jiire joba jobi joke jola
jolaoso jumo jumobi jumoke juwon juwonlo juyigbe kanmi kanbi kanye kayode kemi kemisola keye kitan kiitan kola kolade kolapo
komaya kore korede koya koyejo kunbi kunle kunmi labake labi labisi lade ladele ladipo ladun laide laja laju lakin lami lamide lana lani laniyi laniran lanke lanre lara
laro lasade lasan lase laseinde latan late latunde lawal laye layemi layinka lekan leke lere lese leti leye lola lolade lolu lomo lope loro
lowo lowole lubi luyi luyemi majolagbe mayokun mayowa mide mihan mikun miluyi mimo mire miwa modupe mogba moji mola molade momi moroti
moses mosu moye moyo muyide muyiwa nike nikeji nibi nifemi nifesimi nile nimi nimilo nipekun niran niranti niyi niyonu niwa nola nowo nuga nuola
nusi nuyi ode odun okun ola oluwa omo oso oye oyin paju pade peju pelumi pemi pipe pipo posi raja ranmi ranti remi reti ribigbe rinde rinola rinsola
rogba ronke rotimi rounke ropo sade saju sakin sanmi sanya sayo sanwo segun semilore sesan seun sewa seye seyi siji simi simisola sina shina sindara
sinmi sijibomi soji sola solape somo sope soro suga sukanmi sunbo sunkanmi sunmi sunmade supo suyi tade tan tanwa tara tato taya tayese tayo timi timilehin
timileyin timo tise tobi tobiloba toba tokun tokunbo tola tolu tolulope tomi tomide tomilayo tomilola tomisin tomiwa tona toni tope topefunmi tore torera tosin tosoye totan towo
toye toyese toyin toyinbo toyosi tubosun tudimu tumi tumininu tumise tunbi tunbosun tunde tunji tunmibi tunmise tusin tutu tuyi wa wale walemi walewa wamide wamiri wande wapelumi wemimo
were wole wolemi wolu woye wumi wunmi wuyi wura wusi yanju yele yemi yemisi yeni yera yeye yibi yimika yinka yiola yode yomi yomade yombo yoola yosola yosoye yoyin
leye banjo biyi dipe dele lade lana mola bunmi bowale yemi sanya soro sola tayo toye wande leke goke kunle deyi yemi lade dare bi biyi bo diya fowora fuwa jinadu
jobi kuye kunbi lalu leru muyiwa moyegun niyi nde oti reti rinu sami sami seitan tolani tona tuga tunmise wobi yode yinka yanmi ranti oyelade olaniyan yanju fowokan bambo
kanye lumade lafin lagun lakunle lalekan laleye lawole leyimu mayegun nloye ogbe rinmade rinlola salu saanu tayebi tilewa wewe debo deola deoye debayo diran
`;

/** Heads of Igbo names, and the tails that follow them. */
export const IGBO_HEADS = `chi chukwu nna nne obi ugo uzo onye nwa nwo ada ike ifeanyi ihe oke eze ogbo anya okwu ozo ani umu ndu amara ebube ebere olu ife ije oge ogo uche kene kosi kamsi som somto to tobe tochi uju izu ude ulo aku ego ama amaechi nkem nke dili`;

export const IGBO_TAILS = `
alum amaka amara anyi asom azam azor bia buike bueze buzo buzor bundu chere dalu dera di diadi diebere diebube dike dili dimma dinma diogo dolue
dozie dubem duaga ebere ebube ebuka echi edozie edu egbo ekwe ekezie eloka ewelum eze ezie emeka emerie ene enye fem fumnanya fo fulumnanya
gaemezu gbo gozie gozirim humnanya ibe igwe jekwu jindu jioke jiaku kadibia ka kaike kaima kamara kamso kanma kaodili kaodinaka kaodiri kasi kelu kere kezie
kosi kwe kwelu kwem kwendu kwube kwuemeka kwuka lota luo luka ma maobi manda mamaka mara mdi mezie mezu mma mnaso muanya mso munanya naecherem naza nazam nazo ndu ne nedu nedum
nelo nemerem nemelum nenye nomnso nonso nonyelum nso nma nwe nweike nwendu nweuba nweokwu nyere nyelu nyem obi ogor ogo okwe oma otutu pulu ra ralu rim
sim sinachi so som sokwu soneye sonso tara tem tere toge tom toziri uba ugo uka um uma umeh uwa welu wetalu wendu yere zaram zara zam zim zitere zoba zobam zor zulum zuru
ebuzo kachi ma nna nne nnaya obi oha oma onwu orah ude uzo yelum chukwu onyelu eze osa ezi ihu inna onu aja akolam amaechi anukwa eaku emenam eke azu bugo bere anata
dum dumaga jiofor jindum jika juru mere nyerem tochukwu tobenna zoputa zuluike kaobi obim nulu nanu jiekwu kpe kwuike buogwu bumnobi chi chebem domaga ejim
`;

export const ARABIC_HEADS = `abdul abdu abdur abdus abd abdel abdou`;

/** Tails of Arabic names, such as Aziz in Abdulaziz. Tails that are also separate names are in `variants.ts` too. */
export const ARABIC_TAILS = `
aziz azeez azim azeem basit fatah fatai gafar gafur ganiy ganiyu ghani hafiz hafeez hakim hakeem halim haleem hamid hameed haq jabbar jalil jaleel kadir qadir kareem karim kabir
khaliq latif lateef mujib majid majeed malik mannan mumin muhsin mutalib nasir nafiu qahar quddus quadri rahim raheem rahman rahaman rauf rasheed rashid razaq razak sabur sobur salam salami samad sami
shakur sattar tawab wadud wahab wahid waheed wakil wasiu warith yekeen zahir hadi haqq afis akeem rasaq llah lahi azees musawwir kawthar hayi
`;

/** Heads and tails of other compound names: Edo, Urhobo, Efik and Ibibio, Tiv, Ijaw, Hausa. */
export const OTHER_HEADS = `osa osaru osare osaze nosa uwa omo igie ogie ehi ehis oghene efe eno ini ima mfon ubong uduak ndi nse ani ido otobong edidiong ekom emem unwana itoro ofon kufre ter aondo ior orda torkwase ngu doo mba mngu mse ebi tari ayiba ayeba tamuno timi preye oyin pere tonye boma ibi dan`;

export const OTHER_TAILS = `
gie hon ze ro retin rodion mudiamen muyi yande yamen yuki sere sogie sumwen zuwa rugue rumwense sazee guona gbe khare yaba ruyi rogbe regie regbe bude kpolo renren rhienrhien
karo tega kevwe rukevwe fejiro ejiro mine chuko brume mena tobore vwogaga maro nyerhovwo rume ruona efe bong obong abasi mfon iso ubong ima idem emem freke diana ana ama
fon ofon kan ekan efiok sikak soo ver na seer kimbi hemba hemen hembe kaa akaa dona ember gohide mbakeren uur sha shima van nan vannor fan nengen ere tari kabowei owei dou doupre akpo timi pre mobowei
tonye ibi emi saki nengi baebi tare preye yefa batari ladi juma lami tani asabe tata azumi bature malam musa iya auta kaka bala baba zaki sokoto fulani katsina kano
`;

/** Heads that are short forms by themselves, such as Ade for Adewale. */
export const CLIPPED_HEADS = `ade olu ola ayo akin ife temi titi ore oye osa ebi ada ter aondo tamuno`;

/** Endings that are left out of names in daily use, such as chukwu in Ngozichukwu. */
export const LEFT_OUT_ENDS = `chukwu oluwa abasi obong oghene olu deen udeen ullah ullahi`;
