import type { AlertsView } from '../../../../shared/alerts/console/views.ts';
import { useData } from '../loaded-data.ts';

/** Names the owners, for members whose role does not permit what they want. */
export function Owners() {
  const state = useData<AlertsView>('/alerts').state.value;
  if (state.is !== 'loaded' || state.value.owners.length === 0) return null;
  return <span class="name">Owners: {state.value.owners.join(', ')}.</span>;
}
