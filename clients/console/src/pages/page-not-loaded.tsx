import { Button } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { sharedTexts } from '../shared-texts.ts';

/** Replaces a page whose code could not be loaded, for example because the connection was lost. */
export function PageNotLoaded() {
  return (
    <Page title="Page not loaded" lead="This page could not be loaded. Check your connection, then retry.">
      <Button kind="primary" onClick={() => location.reload()}>
        {sharedTexts.retry}
      </Button>
    </Page>
  );
}
