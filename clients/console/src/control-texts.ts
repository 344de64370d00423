/** The texts of controls that are not on the first page. */
export const controlTexts = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied. Select the text, then copy it yourself.',
  signInFirst: 'You will be asked to sign in again first. Your input is kept.',
};
