"""A Celery application whose worker processes share one client from before the fork."""

import os

from celery import Celery

from ng_identity import IdentityClient

FOLDER = os.environ["TOOLS_FOLDER"]
app = Celery("jobs", broker="filesystem://", backend=f"file://{FOLDER}/results")
app.conf.broker_transport_options = {
    "data_folder_in": f"{FOLDER}/queue",
    "data_folder_out": f"{FOLDER}/queue",
}
CLIENT = IdentityClient()


@app.task
def look_up(number: str) -> str:
    return str(CLIENT.verify("NIN", number).data["firstname"])
