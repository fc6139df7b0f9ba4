import { lazy } from 'react';
import type { ToolPart } from '../../../site/pages/tool/tool-parts.tsx';

const load = () => import('../app-dialog/desktop-app.tsx');

/** The component on the server, which renders in one pass. */
const Part = import.meta.env.SSR ? (await load()).default : lazy(load);

export default { name: 'desktopApp', Part } satisfies ToolPart;
