import { Button } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { sharedTexts, shellTexts } from '../shared-texts.ts';

/** Replaces a page whose code could not be loaded, for example because the connection was lost. */
export function PageNotLoaded() {
  return (
    <Page title={shellTexts.notLoadedTitle} lead={shellTexts.notLoaded}>
      <Button kind="primary" onClick={() => location.reload()}>
        {sharedTexts.retry}
      </Button>
    </Page>
  );
}
