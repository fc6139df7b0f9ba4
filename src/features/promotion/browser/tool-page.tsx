import { lazy } from 'react';
import type { ToolPart } from '../../../web/pages/tool/tool-parts.tsx';

const load = () => import('../app-dialog/desktop-app.tsx');

/** The server, which writes a page in one go, has it beforehand. */
const Part = import.meta.env.SSR ? (await load()).default : lazy(load);

export default { name: 'desktopApp', Part } satisfies ToolPart;
