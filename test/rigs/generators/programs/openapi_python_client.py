"""Prints the surname in a record, and the code of an error."""

import os

from generated import AuthenticatedClient
from generated.api.verification import verify_nin_basic
from generated.models import Error, NinBasicResponse, NinRequest

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
found = verify_nin_basic.sync(client=client, body=NinRequest(id_number="12345678901"))
missing = verify_nin_basic.sync(client=client, body=NinRequest(id_number="12345670404"))
assert isinstance(found, NinBasicResponse) and isinstance(missing, Error)
print(found.data.lastname, missing.code)
