import { pageTitles } from '../shared-texts.ts';
import './alerts.css';
import type { AlertsView } from '../../../../shared/alerts/console/views.ts';
import { AlertList } from '../alerts/alert-list.tsx';
import { AlertSwitches } from '../alerts/alert-switches.tsx';
import { Data, Page } from '../components/page.tsx';
import { useData } from '../loaded-data.ts';

export default function Alerts() {
  const data = useData<AlertsView>('/alerts');
  return (
    <Page title={pageTitles.alerts} lead="What needs your attention, here and by email.">
      <Data data={data}>
        {(view) => (
          <>
            <section aria-labelledby="last-alerts">
              <h2 id="last-alerts">Last 30 days</h2>
              <AlertList alerts={view.alerts} />
            </section>
            <section class="section" aria-labelledby="which-alerts">
              <h2 id="which-alerts">Which alerts you receive</h2>
              <AlertSwitches
                settings={view.settings}
                onChange={(settings) => data.replace({ ...view, settings })}
              />
            </section>
            <Recipients names={view.recipients} />
          </>
        )}
      </Data>
    </Page>
  );
}

function Recipients({ names }: { readonly names: readonly string[] }) {
  return (
    <section class="section" aria-labelledby="recipients">
      <h2 id="recipients">Who receives emails</h2>
      <p>
        Owners and finance members receive emails about the first 20 alerts of a day, and developers those
        about API keys. This page shows all alerts.
      </p>
      {names.length === 0 ? (
        <p>There are no owners or finance members.</p>
      ) : (
        <ul class="recipients">
          {names.map((name, index) => (
            // Two members may have the same name.
            <li key={index} class="name">
              {name}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
