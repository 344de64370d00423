//! Prints a field of each kind of record, and the code of an error.

use openapi::apis::configuration::Configuration;
use openapi::apis::verification_api::*;
use openapi::apis::Error;
use openapi::models::*;
use serde_json::json;

#[tokio::main]
async fn main() {
    let api = Configuration {
        base_path: std::env::var("BASE_URL").unwrap(),
        bearer_access_token: std::env::var("API_KEY").ok(),
        ..Configuration::default()
    };
    dedicated(&api).await;
    gateway(&api).await;
    let missing = verify_nin_basic(&api, NinRequest::new("12345670404".into()), None).await;
    if let Err(Error::ResponseError(response)) = missing {
        let body: serde_json::Value = serde_json::from_str(&response.content).unwrap();
        println!("error {}", body["code"].as_str().unwrap());
    }
}

fn request<T: serde::de::DeserializeOwned>(body: serde_json::Value) -> T {
    serde_json::from_value(body).unwrap()
}

async fn dedicated(api: &Configuration) {
    let nin = NinRequest::new("12345678901".into());
    let bvn = BvnRequest::new("22345678901".into());
    let cac = CacRequest::new("RC1234567".into());
    println!("nin-basic {}", verify_nin_basic(api, nin.clone(), None).await.unwrap().data.lastname);
    println!("nin-premium {}", verify_nin_premium(api, nin, None).await.unwrap().data.tracking_id);
    println!("bvn-basic {}", verify_bvn_basic(api, bvn.clone(), None).await.unwrap().data.lastname);
    println!("bvn-premium {}", verify_bvn_premium(api, bvn, None).await.unwrap().data.enrollment_bank);
    println!("cac-basic {}", verify_cac_basic(api, cac.clone(), None).await.unwrap().data.company_name);
    let company = verify_cac_premium(api, cac, None).await.unwrap();
    println!("cac-premium {}", company.data.affiliates_data[0].affiliate_type);
    let tin = verify_tin(api, TinRequest::new("12345678-0001".into()), None).await.unwrap();
    println!("tin-basic {}", tin.data.name);
    let account = verify_nuban(api, NubanRequest::new("0123456789".into()), None).await.unwrap();
    println!("nuban-basic {}", account.data.account_name);
    let claim = json!({ "id_number": "12345678901", "match": { "lastname": "Anunobi" }, "match_only": true });
    // The generator merges the fields of alternatives, so its clients cannot read what match_only returns.
    if let Ok(matched) = verify_nin_basic(api, request(claim), None).await {
        println!("nin-match-only {}", matched.data.nin);
    }
}

async fn ask(api: &Configuration, id_type: &str, number: &str, level: &str) -> IdentityResponse {
    let params = json!({ "id_number": number });
    let body = json!({ "country": "NG", "id_type": id_type, "level": level, "params": params });
    verify_identity(api, request(body), None).await.unwrap()
}

async fn gateway(api: &Configuration) {
    for level in ["basic", "advanced"] {
        if let IdentityResponse::Nin(found) = ask(api, "NIN", "12345678901", level).await {
            let record = *found.data;
            println!("gateway NIN {} {}", level, record.tracking_id.unwrap_or(record.lastname));
        }
    }
    for level in ["basic", "advanced"] {
        if let IdentityResponse::Bvn(found) = ask(api, "BVN", "22345678901", level).await {
            let record = *found.data;
            println!("gateway BVN {} {}", level, record.enrollment_bank.unwrap_or(record.lastname));
        }
    }
    for level in ["basic", "advanced"] {
        if let IdentityResponse::Cac(found) = ask(api, "CAC", "RC1234567", level).await {
            let affiliates = found.data.affiliates_data;
            let value = affiliates.map_or(found.data.company_name, |all| all[0].affiliate_type.clone());
            println!("gateway CAC {} {}", level, value);
        }
    }
    if let IdentityResponse::Tin(found) = ask(api, "TIN", "12345678-0001", "basic").await {
        println!("gateway TIN basic {}", found.data.name);
    }
    if let IdentityResponse::Nuban(found) = ask(api, "NUBAN", "0123456789", "basic").await {
        println!("gateway NUBAN basic {}", found.data.account_name);
    }
    let body = json!({
        "country": "NG",
        "id_type": "BVN",
        "params": { "id_number": "22345678901" },
        "match": { "lastname": "Anunobi" },
        "match_only": true,
    });
    if let Ok(IdentityResponse::Bvn(found)) = verify_identity(api, request(body), None).await {
        println!("gateway BVN match-only {}", found.data.bvn);
    }
}
