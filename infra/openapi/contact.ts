/**
 * What callers see in the document about who runs the service. Placeholders: set both before the first deployment
 * (docs/first-deployment.md), then run `npm run openapi`.
 */

/** Where customers contact support. */
export const SUPPORT_EMAIL = 'support@example.com';
/** The host name of the API. */
export const API_HOST = 'api.example.com';
