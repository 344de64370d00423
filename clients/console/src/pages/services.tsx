import { idTypeNames, pageTitles } from '../shared-texts.ts';
import './services.css';
import { useSignal } from '@preact/signals';
import type { ServicesView, ServiceView } from '../../../../shared/accounts/console/views.ts';
import { ID_TYPES } from '../../../../shared/core/id-types.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice } from '../components/notice.tsx';
import { Data, Page } from '../components/page.tsx';
import { REFERENCE } from '../documentation.ts';
import { useEnvironment } from '../environment.ts';
import { useData } from '../loaded-data.ts';
import { nameOf, ServiceCard } from '../services/service-card.tsx';
import { documentationUrl, may, session } from '../session.ts';

export default function Services() {
  const data = useData<ServicesView>('/services');
  const change = (changed: ServiceView) => {
    const state = data.state.value;
    if (state.is !== 'loaded') return;
    const services = state.value.services.map((one) => (one.name === changed.name ? changed : one));
    data.replace({ services });
  };
  return (
    <Page
      title={pageTitles.services}
      lead={
        <>
          Choose what your live keys may look up. You pay only for records that are found.{' '}
          <a href={documentationUrl(REFERENCE)}>API reference</a>
        </>
      }
    >
      <Notes />
      <Data data={data}>
        {({ services }) =>
          services.length > 0 ? (
            <ServiceList services={services} onChange={change} />
          ) : (
            <EmptyState title="No services are available yet." />
          )
        }
      </Data>
    </Page>
  );
}

function Notes() {
  const isTest = useEnvironment() === 'test';
  const isReader = session.value !== undefined && !may('change-service');
  if (!isTest && !isReader) return null;
  return (
    <Notice kind="information">
      {isTest && <p>Test keys can use every service. The switches apply to live keys only.</p>}
      {isReader && <p>Only owners and administrators can enable and disable services.</p>}
    </Notice>
  );
}

interface ServiceListProps {
  readonly services: readonly ServiceView[];
  readonly onChange: (changed: ServiceView) => void;
}

function ServiceList({ services, onChange }: ServiceListProps) {
  const confirmation = useSignal('');
  const types = ID_TYPES.filter((type) => services.some(({ id_type }) => id_type === type));
  return (
    <>
      <p class="hidden" role="status">
        {confirmation.value}
      </p>
      {types.map((type) => (
        <section key={type} aria-labelledby={`services-${type}`}>
          <h2 id={`services-${type}`}>{idTypeNames[type]}</h2>
          <ul class="cards">
            {services
              .filter(({ id_type }) => id_type === type)
              .map((service) => (
                <li key={service.name} class="card">
                  <ServiceCard
                    service={service}
                    onChange={(changed) => {
                      onChange(changed);
                      const name = nameOf(changed);
                      confirmation.value = changed.is_enabled
                        ? `${name} is on. Live keys can use it now.`
                        : `${name} is off.`;
                    }}
                  />
                </li>
              ))}
          </ul>
        </section>
      ))}
      <section aria-labelledby="services-advice">
        <h2 id="services-advice">About consent</h2>
        <p>
          Your organisation needs a lawful basis for each look-up, and must be able to prove it (Nigeria Data
          Protection Act 2023, sections 25 and 26). Send your reference for the consent as “consent”, and the
          purpose as “reason”: the log keeps both. This is a summary, not legal advice.
        </p>
      </section>
    </>
  );
}
