import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import { AlarmsView } from './view.tsx';

export default { alarms: AlarmsView } satisfies DeskViews;
