package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var (
	configuration = openapi.NewConfiguration()
	ctx           = context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("API_KEY"))
	claim         openapi.ClaimedDetails
)

// Prints a field of each kind of record, and the code of an error.
func main() {
	claim.SetLastname("Anunobi")
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	api := openapi.NewAPIClient(configuration).VerificationAPI
	nin := openapi.NinRequest{IdNumber: "12345678901"}
	bvn := openapi.BvnRequest{IdNumber: "22345678901"}
	cac := openapi.CacRequest{IdNumber: "RC1234567"}
	ninBasic, _, err := api.VerifyNinBasic(ctx).NinRequest(nin).Execute()
	check(err)
	fmt.Println("nin-basic", ninBasic.Data.NinBasicRecord.Lastname)
	ninPremium, _, err := api.VerifyNinPremium(ctx).NinRequest(nin).Execute()
	check(err)
	fmt.Println("nin-premium", ninPremium.Data.NinPremiumRecord.TrackingId)
	bvnBasic, _, err := api.VerifyBvnBasic(ctx).BvnRequest(bvn).Execute()
	check(err)
	fmt.Println("bvn-basic", bvnBasic.Data.BvnBasicRecord.Lastname)
	bvnPremium, _, err := api.VerifyBvnPremium(ctx).BvnRequest(bvn).Execute()
	check(err)
	fmt.Println("bvn-premium", bvnPremium.Data.BvnPremiumRecord.EnrollmentBank)
	cacBasic, _, err := api.VerifyCacBasic(ctx).CacRequest(cac).Execute()
	check(err)
	fmt.Println("cac-basic", cacBasic.Data.CompanyName)
	cacPremium, _, err := api.VerifyCacPremium(ctx).CacRequest(cac).Execute()
	check(err)
	fmt.Println("cac-premium", cacPremium.Data.AffiliatesData[0].AffiliateType)
	tin, _, err := api.VerifyTin(ctx).TinRequest(openapi.TinRequest{IdNumber: "12345678-0001"}).Execute()
	check(err)
	fmt.Println("tin-basic", tin.Data.Name)
	nuban, _, err := api.VerifyNuban(ctx).NubanRequest(openapi.NubanRequest{IdNumber: "0123456789"}).Execute()
	check(err)
	fmt.Println("nuban-basic", nuban.Data.AccountName)
	nin.SetMatch(claim)
	nin.SetMatchOnly(true)
	matched, _, err := api.VerifyNinBasic(ctx).NinRequest(nin).Execute()
	check(err)
	fmt.Println("nin-match-only", matched.Data.NinVerifiedNumber.Nin, matched.Match.Overall)
	gateway(api)
	_, _, err = api.VerifyNinBasic(ctx).NinRequest(openapi.NinRequest{IdNumber: "12345670404"}).Execute()
	var failure *openapi.GenericOpenAPIError
	if errors.As(err, &failure) {
		fmt.Println("error", failure.Model().(openapi.Error).Code)
	}
}

func gateway(api *openapi.VerificationAPIService) {
	ask := func(idType, number, level string) *openapi.IdentityResponse {
		request := openapi.NewIdentityRequest("NG", idType, openapi.IdentityParams{IdNumber: number})
		if level == "match-only" {
			request.SetMatch(claim)
			request.SetMatchOnly(true)
		} else {
			request.SetLevel(level)
		}
		found, _, err := api.VerifyIdentity(ctx).IdentityRequest(*request).Execute()
		check(err)
		return found
	}
	fmt.Println("gateway NIN basic", ask("NIN", "12345678901", "basic").NinResponse.Data.NinRecord.Lastname)
	fmt.Println("gateway NIN advanced", *ask("NIN", "12345678901", "advanced").NinResponse.Data.NinRecord.TrackingId)
	fmt.Println("gateway BVN basic", ask("BVN", "22345678901", "basic").BvnResponse.Data.BvnRecord.Lastname)
	fmt.Println("gateway BVN advanced", *ask("BVN", "22345678901", "advanced").BvnResponse.Data.BvnRecord.EnrollmentBank)
	fmt.Println("gateway CAC basic", ask("CAC", "RC1234567", "basic").CacResponse.Data.CompanyName)
	fmt.Println("gateway CAC advanced", ask("CAC", "RC1234567", "advanced").CacResponse.Data.AffiliatesData[0].AffiliateType)
	fmt.Println("gateway TIN basic", ask("TIN", "12345678-0001", "basic").TinResponse.Data.Name)
	fmt.Println("gateway NUBAN basic", ask("NUBAN", "0123456789", "basic").NubanResponse.Data.AccountName)
	fmt.Println("gateway BVN match-only", ask("BVN", "22345678901", "match-only").BvnResponse.Data.BvnVerifiedNumber.Bvn)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
