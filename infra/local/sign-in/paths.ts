/** The path below which the sign-ins in progress are, by their ID. */
export const SIGN_IN_PATH = '/sign-in/';
export const LOGOUT_PATH = '/logout';
