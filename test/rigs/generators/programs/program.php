<?php
// Prints a field of each kind of record, and the code of an error.

use OpenAPI\Client\Api\VerificationApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model;

require __DIR__ . '/vendor/autoload.php';
error_reporting(E_ALL & ~E_DEPRECATED);

$configuration = Configuration::getDefaultConfiguration()
    ->setHost(getenv('BASE_URL'))
    ->setAccessToken(getenv('API_KEY'));
$api = new VerificationApi(new GuzzleHttp\Client(), $configuration);

$nin = new Model\NinRequest(['id_number' => '12345678901']);
$bvn = new Model\BvnRequest(['id_number' => '22345678901']);
$cac = new Model\CacRequest(['id_number' => 'RC1234567']);
echo 'nin-basic ', $api->verifyNinBasic($nin)->getData()->getLastname(), "\n";
echo 'nin-premium ', $api->verifyNinPremium($nin)->getData()->getTrackingId(), "\n";
echo 'bvn-basic ', $api->verifyBvnBasic($bvn)->getData()->getLastname(), "\n";
echo 'bvn-premium ', $api->verifyBvnPremium($bvn)->getData()->getEnrollmentBank(), "\n";
echo 'cac-basic ', $api->verifyCacBasic($cac)->getData()->getCompanyName(), "\n";
echo 'cac-premium ', $api->verifyCacPremium($cac)->getData()->getAffiliatesData()[0]->getAffiliateType(), "\n";
$tin = new Model\TinRequest(['id_number' => '12345678-0001']);
echo 'tin-basic ', $api->verifyTin($tin)->getData()->getName(), "\n";
$nuban = new Model\NubanRequest(['id_number' => '0123456789']);
echo 'nuban-basic ', $api->verifyNuban($nuban)->getData()->getAccountName(), "\n";
$claim = ['match' => new Model\ClaimedDetails(['lastname' => 'Anunobi']), 'match_only' => true];
$matched = $api->verifyNinBasic(new Model\NinRequest(['id_number' => '12345678901'] + $claim));
echo 'nin-match-only ', $matched->getData()->getNin(), ' ', $matched->getMatch()->getOverall(), "\n";

/** Returns `data`, which has no class of its own. */
function ask(string $type, string $number, array $more = []): array
{
    global $api;
    $params = new Model\IdentityParams(['id_number' => $number]);
    $body = ['country' => 'NG', 'id_type' => $type, 'params' => $params];
    return $api->verifyIdentity(new Model\IdentityRequest($body + $more))->getData();
}

$advanced = ['level' => 'advanced'];
echo 'gateway NIN basic ', ask('NIN', '12345678901')['lastname'], "\n";
echo 'gateway NIN advanced ', ask('NIN', '12345678901', $advanced)['tracking_id'], "\n";
echo 'gateway BVN basic ', ask('BVN', '22345678901')['lastname'], "\n";
echo 'gateway BVN advanced ', ask('BVN', '22345678901', $advanced)['enrollment_bank'], "\n";
echo 'gateway CAC basic ', ask('CAC', 'RC1234567')['companyName'], "\n";
echo 'gateway CAC advanced ', ask('CAC', 'RC1234567', $advanced)['affiliatesData'][0]->affiliateType, "\n";
echo 'gateway TIN basic ', ask('TIN', '12345678-0001')['name'], "\n";
echo 'gateway NUBAN basic ', ask('NUBAN', '0123456789')['account_name'], "\n";
echo 'gateway BVN match-only ', ask('BVN', '22345678901', $claim)['bvn'], "\n";

try {
    $api->verifyNinBasic(new Model\NinRequest(['id_number' => '12345670404']));
} catch (ApiException $exception) {
    echo 'error ', $exception->getResponseObject()->getCode(), "\n";
}
