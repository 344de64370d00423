/** Apart from the registry itself, so that those who ask it do not carry its names and pictures. */
export const SECRET_HEADER = 'x-sandbox-secret';
