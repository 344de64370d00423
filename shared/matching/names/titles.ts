/**
 * Titles before and after names, folded. They do not identify a person, so they are ignored unless a name consists of
 * nothing else.
 */
export const TITLES = `
mr mrs ms miss mister madam madame master sir dame lady mss messrs
dr doctor prof professor engr engineer barr barrister esq arc arch architect pharm pharmacist qs surv surveyor tpl nurse matron sister
alhaji alh alhaja alhajia alhajiya hajiya hajia haj hajj hajja mallam malam mal mallama malama malan sheikh shaykh shaikh imam ustaz ustadh ustas
chief otunba oloye asiwaju iyalode hrh hrm hrhs oba obong etubom ichie nze lolo igwe sarkin
rev revd reverend fr father pastor pst evang evangelist bishop archbishop apostle prophet prophetess deacon deaconess elder canon ven venerable cardinal rt
hon honourable honorable sen senator gov governor amb ambassador comrade com justice
capt captain col colonel gen general maj major lt lieutenant sgt sergeant cpl brig brigadier cdr cmdr commander insp inspector supt asp dsp csp acp dcp cp wo
jr jnr snr sr phd fca mni ofr oon con mon nee ksm kss jp
`;

/** Words that are titles for some people and names for others. They may be missing on one side. */
export const OPTIONAL_WORDS = `prince princess king queen junior senior chief imam sarki eze igwe oba obong baba mama hajiya hajja ii iii iv`;

/** Names that are given to twins. Two people whose names differ only in these are twins, not the same person. */
export const TWIN_NAMES = `
taiwo kehinde
hassan hussaini
hassana hussaina
`;
