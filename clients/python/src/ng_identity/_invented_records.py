"""The invented records of the fake API (`ng_identity.testing`)."""

import base64
import copy
from typing import Any, Callable, Dict, Mapping, Optional

from ._belonging import NUMBER_FIELDS
from ._models import NextOfKin
from ._sandbox import Person, bank_of_account, ending_of, person_of, shared_key
from ._service_data import BANKS

_PHOTO = base64.b64encode(b"\xff\xd8\xff an invented photo").decode()
_PERSON = dict.fromkeys(("firstname", "lastname", "middlename", "phone", "gender", "birthdate", "photo"), "")
_NEXT_OF_KIN = dict.fromkeys(NextOfKin.__annotations__, "****")

_BASIC: Mapping[str, Dict[str, Any]] = {
    "nin-basic": {
        "nin": "",
        **_PERSON,
        "residence": {},
    },
    "bvn-basic": {"bvn": "", **_PERSON},
    "cac-basic": {
        "companyName": "EXAMPLE VENTURES LIMITED",
        "rcNumber": "",
        "status": "ACTIVE",
        "registrationDate": "11-12-2010",
        "companyType": "PRIVATE_COMPANY_LIMITED_BY_SHARES",
        "classification": "SMALL",
        "headOfficeAddress": "1 INVENTED STREET",
        "branchAddress": "",
        "city": "IKEJA",
        "lga": "IKEJA",
        "state": "LAGOS",
        "companyEmail": "office@example.com",
        "natureOfBusiness": "TRADE",
        "shareCapital": 1000000,
        "shareCapitalInWords": "ONE MILLION NAIRA",
        "affiliates": 1,
        "directors": [],
    },
    "tin-basic": {
        "tin": "",
        "tin_format": "FIRS",
        "name": "EXAMPLE VENTURES LIMITED",
        "tax_office": "MSTO IKEJA",
        "registration_date": "11-12-2010",
        "business_type": "COMPANY",
        "rc_number": "RC1234567",
        "email": "",
        "phone": "08012345678",
    },
    "nuban-basic": {
        "account_number": "",
        "account_name": "",
        "bank_code": "058",
        "bank_name": "GTBank",
        "currency": "NGN",
    },
}
_PREMIUM: Mapping[str, Dict[str, Any]] = {
    "nin-premium": {
        "title": "mr",
        "email": "",
        "profession": "TEACHING",
        "marital_status": "single",
        "employment_status": "employed",
        "birth_state": "OYO",
        "birth_country": "nigeria",
        "state_of_origin": "OYO",
        "lga_of_origin": "IBADAN NORTH",
        "nspokenlang": "YORUBA",
        "religion": "christianity",
        "next_of_kin": _NEXT_OF_KIN,
        "signature": "",
        "tracking_id": "S7Y0EXAMPLE0001",
    },
    "bvn-premium": {
        "title": "Mr",
        "email": "",
        "nationality": "Nigeria",
        "marital_status": "Single",
        "residential_address": "1 INVENTED STREET",
        "state_of_origin": "Oyo State",
        "lga_of_origin": "Ibadan North",
        "state_of_residence": "Oyo State",
        "lga_of_residence": "Ibadan North",
        "name_on_card": "ANUNOBI CHUKWUEMEKA",
        "nin": "12345678901",
        "phone_number2": "",
        "registration_date": "01-03-2015",
        "enrollment_bank": "058",
        "enrollment_branch": "IBADAN",
        "level_of_account": "Level 2 - Medium Level Accounts",
        "watch_listed": "NO",
    },
    "cac-premium": {"affiliatesData": []},
}
_AFFILIATE: Dict[str, Any] = {
    "corporationName": "",
    "rcNumber": "",
    "isCorporate": False,
    "affiliateType": "DIRECTOR",
    "nationality": "NIGERIAN",
    "gender": "",
    "occupation": "TRADER",
    "email": "",
    "phoneNumber": "",
    "address": "1 INVENTED STREET",
    "city": "IKEJA",
    "state": "LAGOS",
    "status": "ACTIVE",
    "dateOfAppointment": "11-12-2010",
    "numSharesAlloted": 1000000,
    "typeOfShares": "ORDINARY",
    "shareholdingPercentage": 100.0,
    "shareholdingPercentageDerived": True,
}
SERVICES = {*_BASIC, *_PREMIUM}


def invented_record(service: str, number: str) -> Dict[str, Any]:
    """
    Returns the record of a number, with every field of the service, such as `nin-premium`. The people, their
    homes and the banks are those of the sandbox. A number that ends in 0206 has no photo.
    """
    id_type = service.split("-")[0].upper()
    record = copy.deepcopy({**_BASIC[f"{id_type.lower()}-basic"], **_PREMIUM.get(service, {})})
    record[NUMBER_FIELDS[id_type]] = number
    known = _KNOWN[id_type](person_of(id_type, number), number)
    record.update({name: value for name, value in known.items() if name in record})
    return record


def _of_person(person: Person, number: str) -> Dict[str, Any]:
    names = {name: getattr(person, name) for name in ("firstname", "lastname", "middlename")}
    home = {name: person.home[name] for name in ("lga", "state")}
    return {
        **names,
        **{name: getattr(person, name) for name in ("gender", "birthdate", "phone", "email")},
        "photo": "" if ending_of(number) == "0206" else _PHOTO,
        "residence": {"address1": person.street, "town": person.home["name"], **home},
    }


def _of_account(person: Person, number: str) -> Dict[str, Any]:
    bank = bank_of_account(number)
    names = (person.lastname, person.firstname, person.middlename)
    return {
        "account_name": " ".join(filter(None, names)),
        "bank_code": bank["cbn_code"] or bank["nip_code"],
        "bank_name": bank["name"],
    }


def _of_bvn(person: Person, number: str) -> Dict[str, Any]:
    return {
        **_of_person(person, number),
        "nin": f"9{number[1:]}",
        "name_on_card": f"{person.firstname} {person.lastname}",
        "residential_address": f"{person.street}, {person.home['name']}",
        "state_of_origin": f"{person.origin['state']} State",
        "lga_of_origin": person.origin["lga"],
        "state_of_residence": f"{person.home['state']} State",
        "lga_of_residence": person.home["lga"],
    }


def _of_nin(person: Person, number: str) -> Dict[str, Any]:
    origin = {"state_of_origin": person.origin["state"], "lga_of_origin": person.origin["lga"]}
    return {**_of_person(person, number), **origin}


def _of_company(person: Person, _: str) -> Dict[str, Any]:
    director = {"surname": person.lastname, "firstname": person.firstname, "otherName": person.middlename}
    return {
        "companyName": f"{person.lastname} FOODS LIMITED",
        "directors": [director],
        "affiliatesData": [{**_AFFILIATE, **director, "gender": person.gender}],
    }


def _of_taxpayer(person: Person, number: str) -> Dict[str, Any]:
    if shared_key("TIN", number) is None:
        return {}
    names = (person.firstname, person.middlename, person.lastname)
    name = " ".join(filter(None, names))
    holder = {"name": name, "business_type": "INDIVIDUAL", "rc_number": ""}
    return {**holder, "phone": person.phone, "email": person.email}


_KNOWN: Mapping[str, Callable[[Person, str], Dict[str, Any]]] = {
    "NIN": _of_nin,
    "BVN": _of_bvn,
    "CAC": _of_company,
    "TIN": _of_taxpayer,
    "NUBAN": _of_account,
}


def bank_of(code: str) -> Optional[Dict[str, Any]]:
    """Returns the bank with this code of the CBN, of NIP or of a provider, or None."""
    for bank in BANKS:
        if code.upper() in (bank["cbn_code"], bank["nip_code"], *bank["provider_codes"].values()):
            return bank
    return None
