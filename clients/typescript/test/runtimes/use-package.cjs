const { IdentityClient } = require('ng-identity');

const [, , baseUrl, apiKey, number] = process.argv;
new IdentityClient({ apiKey, baseUrl }).verify('NIN', number).then(({ data }) => console.log(data.nin));
