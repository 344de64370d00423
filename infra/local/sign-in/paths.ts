/** Below it are the sign-ins in progress, by their ID. */
export const SIGN_IN_PATH = '/sign-in/';
export const LOGOUT_PATH = '/logout';
