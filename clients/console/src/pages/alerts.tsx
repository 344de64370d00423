import { pageTitles } from '../shared-texts.ts';
import './alerts.css';
import type { AlertsView } from '../../../../shared/alerts/console/views.ts';
import { AlertList } from '../alerts/alert-list.tsx';
import { AlertSwitches } from '../alerts/alert-switches.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Data, Page } from '../components/page.tsx';
import { useData } from '../loaded-data.ts';

export default function Alerts() {
  const data = useData<AlertsView>('/alerts');
  return (
    <Page
      title={pageTitles.alerts}
      lead="What needs your attention, here and by email."
      action={<ButtonLink href="/status">{pageTitles.status}</ButtonLink>}
    >
      <Data data={data}>
        {(view) => (
          <>
            <section aria-labelledby="last-alerts">
              <h2 id="last-alerts">Last 30 days</h2>
              <AlertList view={view} />
            </section>
            <section class="section" aria-labelledby="which-alerts">
              <h2 id="which-alerts">Which emails you receive</h2>
              <p>The first 20 of each kind and day are sent by email.</p>
              <AlertSwitches view={view} onChange={(settings) => data.replace({ ...view, settings })} />
              <p>
                Owners also receive an email about each change to live keys and owners, and when the
                organisation is approved or suspended. Those emails cannot be switched off.
              </p>
            </section>
          </>
        )}
      </Data>
    </Page>
  );
}
