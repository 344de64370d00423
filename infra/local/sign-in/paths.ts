/** The path of a sign-in in progress, without the ID of the sign-in. */
export const SIGN_IN_PATH = '/sign-in/';
export const LOGOUT_PATH = '/logout';
