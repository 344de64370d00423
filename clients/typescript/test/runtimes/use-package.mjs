import { IdentityClient } from 'ng-identity';

const [, , baseUrl, apiKey, number] = process.argv;
const { data } = await new IdentityClient({ apiKey, baseUrl }).verify('NIN', number);
console.log(data.nin);
