"""The invented records of the fake API (`ng_identity.testing`)."""

import base64
import copy
from typing import Any, Dict, Mapping

from ._models import NextOfKin

_NAMES = {"firstname": "ADEBAYO", "lastname": "OLA", "middlename": "AYO"}
_NAMES_WITH_TONE_MARKS = {"firstname": "Adébáyọ̀", "lastname": "Ọlá", "middlename": "Ayọ̀"}
_PERSON: Dict[str, Any] = {**_NAMES, "phone": "08012345678", "gender": "m", "birthdate": "14-02-1990"}
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
        "account_name": "OKEKE NGOZI",
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
        "name_on_card": "OLA ADEBAYO",
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
    sandbox, a number that ends in 0206 has no photo, and one that ends in 0301 has names with tone marks.
    """
    id_type = service.split("-")[0].upper()
    record = copy.deepcopy({**_BASIC[f"{id_type.lower()}-basic"], **_PREMIUM.get(service, {})})
    record[_NUMBER_FIELDS[id_type]] = number
    if number.endswith("0206") and "photo" in record:
        record["photo"] = ""
    if number.endswith("0301") and "firstname" in record:
        record.update(_NAMES_WITH_TONE_MARKS)
    return record


def invented_match(claimed: Mapping[str, str], record: Mapping[str, Any]) -> Dict[str, Any]:
    """
    Returns the result of a match. A field is either `exact`, whatever the case of its letters, or `none`. The
    API compares names more carefully, and returns further results and reasons.
    """
    fields = {
        name: _field(value.upper() == str(record.get(name, "")).upper()) for name, value in claimed.items()
    }
    is_match = all(field["result"] == "exact" for field in fields.values())
    return {**_outcome(is_match, "overall"), "algorithm": "fake", "fields": fields}


def _field(is_match: bool) -> Dict[str, Any]:
    return {**_outcome(is_match, "result"), "reasons": []}


def _outcome(is_match: bool, name: str) -> Dict[str, Any]:
    return {name: "exact" if is_match else "none", "score": 1.0 if is_match else 0.0}
