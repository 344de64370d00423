"""The invented records of the fake API (`ng_identity.testing`)."""

# cspell:ignore KAURA OBINNA SANI

import base64
import copy
from typing import Any, Dict, List, Mapping, Optional

from ._models import NextOfKin

_PERSON: Dict[str, Any] = {
    "firstname": "CHUKWUEMEKA",
    "lastname": "ANUNOBI",
    "middlename": "OBINNA",
    "phone": "08012345678",
    "gender": "m",
    "birthdate": "23-08-1957",
}
_VARIANTS: Mapping[str, Dict[str, str]] = {
    "0301": {"firstname": "Chúkwuemẹ́ka", "lastname": "Ànụnọ́bi", "middlename": "Ọbịnna"},
    "0302": {"firstname": "KAURA", "lastname": "IBRAHIM", "middlename": "SANI", "birthdate": "08-06-1988"},
    "0303": {
        "firstname": "NGOZI",
        "lastname": "BELLO",
        "middlename": "OKEKE",
        "birthdate": "11-12-1984",
        "gender": "f",
    },
    "0304": {
        "firstname": "F",
        "lastname": "ADEYEMI",
        "middlename": "A",
        "birthdate": "08-10-1955",
        "gender": "f",
    },
    "0305": {"birthdate": "08-03-1957"},
}
"""What differs in the record of the person, by the last digits of the number, as in the sandbox."""
_PERSON["photo"] = base64.b64encode(b"\xff\xd8\xff an invented photo").decode()
_RESIDENCE = {"address1": "1 INVENTED STREET", "town": "IBADAN", "lga": "IBADAN NORTH", "state": "OYO"}
_NEXT_OF_KIN = dict.fromkeys(NextOfKin.__annotations__, "****")
_DIRECTOR = {"surname": "OKEKE", "firstname": "NGOZI", "otherName": ""}

_BASIC: Mapping[str, Dict[str, Any]] = {
    "nin-basic": {
        "nin": "",
        **_PERSON,
        "residence": _RESIDENCE,
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
        "directors": [_DIRECTOR],
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
    "cac-premium": {
        "affiliatesData": [
            {
                **_DIRECTOR,
                "corporationName": "",
                "rcNumber": "",
                "isCorporate": False,
                "affiliateType": "DIRECTOR",
                "nationality": "NIGERIA",
                "gender": "FEMALE",
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
        ]
    },
}
_NUMBER_FIELDS = {"NIN": "nin", "BVN": "bvn", "CAC": "rcNumber", "TIN": "tin", "NUBAN": "account_number"}
SERVICES = {*_BASIC, *_PREMIUM}


def invented_record(service: str, number: str) -> Dict[str, Any]:
    """
    Returns the record of a number, with every field of the service, such as `nin-premium`. As in the
    sandbox, a number that ends in 0206 has no photo.
    """
    id_type = service.split("-")[0].upper()
    record = copy.deepcopy({**_BASIC[f"{id_type.lower()}-basic"], **_PREMIUM.get(service, {})})
    record[_NUMBER_FIELDS[id_type]] = number
    if number.endswith("0206") and "photo" in record:
        record["photo"] = ""
    person = {**_PERSON, **_VARIANTS.get(number[-4:], {})}
    if "firstname" in record:
        record.update(
            (name, person[name]) for name in ("firstname", "lastname", "middlename", "birthdate", "gender")
        )
    if id_type == "NUBAN":
        record["account_name"] = " ".join(person[name] for name in ("lastname", "firstname", "middlename"))
    return record


BANKS: List[Dict[str, Any]] = [
    {
        "name": name,
        "short_name": short_name,
        "kind": "commercial",
        "cbn_code": cbn_code,
        "nip_code": nip_code,
        "provider_codes": {},
    }
    for name, short_name, cbn_code, nip_code in (
        ("First Bank Nigeria Limited", "First Bank", "011", "000016"),
        ("United Bank For Africa Plc", "UBA", "033", "000004"),
        ("Access Bank Plc", "Access Bank", "044", "000014"),
        ("Zenith Bank Plc", "Zenith Bank", "057", "000015"),
        ("Guaranty Trust Bank Plc", "GTBank", "058", "000013"),
    )
]
"""Some of the banks of the API."""


def bank_of(code: Optional[str]) -> Optional[Dict[str, Any]]:
    """Returns the bank with this code, or None. Without a code, the sandbox chooses the bank."""
    if code is None:
        return BANKS[-1]
    return next((bank for bank in BANKS if code in (bank["cbn_code"], bank["nip_code"])), None)
