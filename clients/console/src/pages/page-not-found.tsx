import { ButtonLink } from '../components/button.tsx';
import { Page } from '../components/page.tsx';

export function PageNotFound() {
  return (
    <Page title="Page not found" lead="There is no page at this address.">
      <ButtonLink href="/">Go to Home</ButtonLink>
    </Page>
  );
}
