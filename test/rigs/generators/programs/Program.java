import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.VerificationApi;
import org.openapitools.client.model.NinRequest;

/** Prints the surname in a record, and the code of an error. */
public class Program {
  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    var api = new VerificationApi(client);
    var found = api.verifyNinBasic(new NinRequest().idNumber("12345678901"), null);
    try {
      api.verifyNinBasic(new NinRequest().idNumber("12345670404"), null);
    } catch (ApiException exception) {
      var type = org.openapitools.client.model.Error.class;
      var error = client.getObjectMapper().readValue(exception.getResponseBody(), type);
      System.out.println(found.getData().getLastname() + " " + error.getCode());
    }
  }
}
