package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/generated/client"
)

// Prints the surname in a record, and the code of an error.
func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	api, err := client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(authorize))
	if err != nil {
		log.Fatal(err)
	}
	parameters := &client.VerifyNinBasicParams{}
	found, err := api.VerifyNinBasicWithResponse(context.Background(), parameters, client.NinRequest{IdNumber: "12345678901"})
	if err != nil {
		log.Fatal(err)
	}
	missing, err := api.VerifyNinBasicWithResponse(context.Background(), parameters, client.NinRequest{IdNumber: "12345670404"})
	if err != nil {
		log.Fatal(err)
	}
	record, err := found.JSON200.Data.AsNinBasicRecord()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(record.Lastname, missing.JSON400.Code)
}
