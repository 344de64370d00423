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
import { pageTitles, servicesTexts } from '../texts.ts';

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
          {servicesTexts.lead} <a href={documentationUrl(REFERENCE)}>{servicesTexts.reference}</a>
        </>
      }
    >
      <Notes />
      <Data data={data}>
        {({ services }) =>
          services.length > 0 ? (
            <ServiceList services={services} onChange={change} />
          ) : (
            <EmptyState title={servicesTexts.none} />
          )
        }
      </Data>
    </Page>
  );
}

/** Says that the switches do not apply to test keys, and who may change them. */
function Notes() {
  const isTest = useEnvironment() === 'test';
  const isReader = session.value !== undefined && !may('change-service');
  if (!isTest && !isReader) return null;
  return (
    <Notice kind="information">
      {isTest && <p>{servicesTexts.testNote}</p>}
      {isReader && <p>{servicesTexts.onlyManagers}</p>}
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
          <h2 id={`services-${type}`}>{servicesTexts.idTypes[type]}</h2>
          <ul class="cards">
            {services
              .filter(({ id_type }) => id_type === type)
              .map((service) => (
                <li key={service.name} class="card">
                  <ServiceCard
                    service={service}
                    onChange={(changed) => {
                      onChange(changed);
                      const { enabledNow, disabledNow } = servicesTexts;
                      confirmation.value = (changed.is_enabled ? enabledNow : disabledNow)(nameOf(changed));
                    }}
                  />
                </li>
              ))}
          </ul>
        </section>
      ))}
      <section aria-labelledby="services-advice">
        <h2 id="services-advice">{servicesTexts.adviceTitle}</h2>
        <p>{servicesTexts.advice}</p>
      </section>
    </>
  );
}
