import { ButtonLink } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { shellTexts } from '../shared-texts.ts';

export function PageNotFound() {
  return (
    <Page title={shellTexts.notFoundTitle} lead={shellTexts.notFound}>
      <ButtonLink href="/">{shellTexts.toHome}</ButtonLink>
    </Page>
  );
}
