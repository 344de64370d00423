"""Prints a field of each kind of record, and the code of an error."""

import os

import openapi_client
from openapi_client import BvnRequest, CacRequest, IdentityRequest, NinRequest, NubanRequest, TinRequest

configuration = openapi_client.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
api = openapi_client.VerificationApi(openapi_client.ApiClient(configuration))

nin, bvn, cac = NinRequest(id_number="12345678901"), BvnRequest(id_number="22345678901"), CacRequest(id_number="RC1234567")
print("nin-basic", api.verify_nin_basic(nin).data.actual_instance.lastname)
print("nin-premium", api.verify_nin_premium(nin).data.actual_instance.tracking_id)
print("bvn-basic", api.verify_bvn_basic(bvn).data.actual_instance.lastname)
print("bvn-premium", api.verify_bvn_premium(bvn).data.actual_instance.enrollment_bank)
print("cac-basic", api.verify_cac_basic(cac).data.company_name)
print("cac-premium", api.verify_cac_premium(cac).data.affiliates_data[0].affiliate_type)
print("tin-basic", api.verify_tin(TinRequest(id_number="12345678-0001")).data.name)
print("nuban-basic", api.verify_nuban(NubanRequest(id_number="0123456789")).data.account_name)
claim = {"match": openapi_client.ClaimedDetails(lastname="Anunobi"), "match_only": True}
matched = api.verify_nin_basic(NinRequest(id_number="12345678901", **claim))
assert type(matched.data.actual_instance) is openapi_client.NinVerifiedNumber
print("nin-match-only", matched.data.actual_instance.nin, matched.match.overall)


def ask(id_type, number, level="basic", **more):
    params = openapi_client.IdentityParams(id_number=number)
    request = IdentityRequest(country="NG", id_type=id_type, level=level, params=params, **more)
    data = api.verify_identity(request).actual_instance.data
    return getattr(data, "actual_instance", data)


print("gateway NIN basic", ask("NIN", "12345678901").lastname)
print("gateway NIN advanced", ask("NIN", "12345678901", "advanced").tracking_id)
print("gateway BVN basic", ask("BVN", "22345678901").lastname)
print("gateway BVN advanced", ask("BVN", "22345678901", "advanced").enrollment_bank)
print("gateway CAC basic", ask("CAC", "RC1234567").company_name)
print("gateway CAC advanced", ask("CAC", "RC1234567", "advanced").affiliates_data[0].affiliate_type)
print("gateway TIN basic", ask("TIN", "12345678-0001").name)
print("gateway NUBAN basic", ask("NUBAN", "0123456789").account_name)
print("gateway BVN match-only", ask("BVN", "22345678901", **claim).bvn)

try:
    api.verify_nin_basic(NinRequest(id_number="12345670404"))
except openapi_client.ApiException as exception:
    print("error", exception.data.code)
