/** Apart from the registry itself, so that those who ask it do not carry its names and pictures. */
export const SECRET_HEADER = 'x-sandbox-secret';
/** The caller's label of its request, which the sandbox takes into its log. */
export const REQUEST_HEADER = 'x-request-id';
