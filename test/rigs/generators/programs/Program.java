import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.VerificationApi;
import org.openapitools.client.model.*;

/** Prints a field of each kind of record, and the code of an error. */
public class Program {
  private static VerificationApi api;

  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    client.setBearerToken(System.getenv("API_KEY"));
    api = new VerificationApi(client);
    dedicated();
    gateway();
    try {
      api.verifyNinBasic(new NinRequest().idNumber("12345670404"), null);
    } catch (ApiException exception) {
      print("error", org.openapitools.client.model.Error.fromJson(exception.getResponseBody()).getCode());
    }
  }

  private static void dedicated() throws Exception {
    var nin = new NinRequest().idNumber("12345678901");
    var bvn = new BvnRequest().idNumber("22345678901");
    var cac = new CacRequest().idNumber("RC1234567");
    print("nin-basic", api.verifyNinBasic(nin, null).getData().getNinBasicRecord().getLastname());
    print("nin-premium", api.verifyNinPremium(nin, null).getData().getNinPremiumRecord().getTrackingId());
    print("bvn-basic", api.verifyBvnBasic(bvn, null).getData().getBvnBasicRecord().getLastname());
    print("bvn-premium", api.verifyBvnPremium(bvn, null).getData().getBvnPremiumRecord().getEnrollmentBank());
    print("cac-basic", api.verifyCacBasic(cac, null).getData().getCompanyName());
    print("cac-premium", api.verifyCacPremium(cac, null).getData().getAffiliatesData().get(0).getAffiliateType());
    print("tin-basic", api.verifyTin(new TinRequest().idNumber("12345678-0001"), null).getData().getName());
    var account = api.verifyNuban(new NubanRequest().idNumber("0123456789"), null);
    print("nuban-basic", account.getData().getAccountName());
    var claimed = new ClaimedDetails().lastname("Anunobi");
    var matched = api.verifyNinBasic(nin.match(claimed).matchOnly(true), null);
    print("nin-match-only", matched.getData().getNinVerifiedNumber().getNin() + " " + matched.getMatch().getOverall());
  }

  private static void gateway() throws Exception {
    print("gateway NIN basic", ask("NIN", "12345678901", "basic").getNinResponse().getData().getNinRecord().getLastname());
    print("gateway NIN advanced", ask("NIN", "12345678901", "advanced").getNinResponse().getData().getNinRecord().getTrackingId());
    print("gateway BVN basic", ask("BVN", "22345678901", "basic").getBvnResponse().getData().getBvnRecord().getLastname());
    print("gateway BVN advanced", ask("BVN", "22345678901", "advanced").getBvnResponse().getData().getBvnRecord().getEnrollmentBank());
    print("gateway CAC basic", ask("CAC", "RC1234567", "basic").getCacResponse().getData().getCompanyName());
    print("gateway CAC advanced", ask("CAC", "RC1234567", "advanced").getCacResponse().getData().getAffiliatesData().get(0).getAffiliateType());
    print("gateway TIN basic", ask("TIN", "12345678-0001", "basic").getTinResponse().getData().getName());
    print("gateway NUBAN basic", ask("NUBAN", "0123456789", "basic").getNubanResponse().getData().getAccountName());
    var request = request("BVN", "22345678901").match(new ClaimedDetails().lastname("Anunobi")).matchOnly(true);
    print("gateway BVN match-only", api.verifyIdentity(request, null).getBvnResponse().getData().getBvnVerifiedNumber().getBvn());
  }

  private static IdentityResponse ask(String idType, String number, String level) throws Exception {
    return api.verifyIdentity(request(idType, number).level(IdentityRequest.LevelEnum.fromValue(level)), null);
  }

  private static IdentityRequest request(String idType, String number) {
    return new IdentityRequest()
        .country(IdentityRequest.CountryEnum.NG)
        .idType(IdentityRequest.IdTypeEnum.fromValue(idType))
        .params(new IdentityParams().idNumber(number));
  }

  private static void print(String name, Object value) {
    System.out.println(name + " " + value);
  }
}
