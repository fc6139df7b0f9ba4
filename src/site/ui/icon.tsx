/** Outlines on a 24 x 24 grid, drawn with a 1.75 wide round pen. */
const outlines = {
  arrow: 'M5 12h14m-6-6 6 6-6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm6 9 6 6 6-6',
  clipboard: 'M9 4h6v3H9zM9 5.5H6.5v15h11v-15H15M9 12h6m-6 4h4',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2',
  close: 'm6 6 12 12M18 6 6 18',
  device: 'M3.5 5h17v11h-17zM9 20h6m-3-4v4',
  download: 'M12 3.5v12m-5-5 5 5 5-5M4.5 20h15',
  film: 'M4 5h16v14H4zM8 5v14m8-14v14M4 9.5h4m-4 5h4m8-5h4m-4 5h4',
  'full-screen': 'M4.500 9V4.500H9m6 0h4.500V9m0 6v4.500H15m-6 0H4.500V15',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c2.6 2.4 3.8 5.2 3.8 8.5s-1.2 6.1-3.8 8.5c-2.6-2.4-3.8-5.2-3.8-8.5s1.2-6.1 3.8-8.5Z',
  heart:
    'M12 20s-7.500-4.600-7.500-10A4.200 4.200 0 0 1 12 7.500 4.200 4.200 0 0 1 19.500 10c0 5.400-7.500 10-7.500 10Z',
  history: 'M4 6v4h4M4.6 10a8 8 0 1 1-.4 4M12 8v4.5l3 1.5',
  images: 'M7 7h13v13H7zM17 7V4H4v13h3m0 0 4-4 3.5 3.5 2-2L20 18M15.5 11.2v.1',
  link: 'M10 13.5a4 4 0 0 0 5.7.3l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10.5a4 4 0 0 0-5.7-.3l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z',
  music:
    'M9 17.5V5l10-2v12.5M9 17.5a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0Zm10-2a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0Z',
  muted: 'M4 9.500v5h3.500L12 18.500v-13L7.500 9.500Zm11.500.500 4 4m0-4-4 4',
  pause: 'M8.500 5v14m7-14v14',
  play: 'M7.500 4.500v15l12-7.500z',
  phone: 'M9 2.5h6a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2ZM11 5.5h2m-1.5 13h1',
  shield: 'M12 3.5 5 6v5.5c0 4.2 2.8 7.4 7 9 4.2-1.6 7-4.8 7-9V6zm-3 8.3 2.2 2.2 4-4',
  sound:
    'M4 9.500v5h3.500L12 18.500v-13L7.500 9.500Zm11.500-.500a4.500 4.500 0 0 1 0 6m2.700-9a8.500 8.500 0 0 1 0 12',
  sparkles:
    'M10 5c.6 3.6 2.4 5.4 6 6-3.6.6-5.4 2.4-6 6-.6-3.6-2.4-5.4-6-6 3.6-.6 5.4-2.4 6-6Zm8-1.5v4m2-2h-4m3 12v3m1.500-1.500h-3',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.500v2m0 15v2m9.500-9.500h-2m-15 0h-2m16.200-6.700-1.400 1.400M6.700 17.300l-1.400 1.400m13.400 0-1.400-1.400M6.700 6.700 5.300 5.300',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.500m0 2.700v.1',
} as const;

export type IconName = keyof typeof outlines;

/** A picture beside a text that says the same; hidden from assistive technology. */
export function Icon(props: { name: IconName; mirrored?: boolean; className?: string }) {
  const className = `${props.mirrored === true ? 'icon-mirrored' : ''} ${props.className ?? ''}`;
  return <Outline path={outlines[props.name]} className={className} />;
}

/** {@link Icon} for a drawing on the same grid that is defined elsewhere. */
export function Outline({ path, className = '' }: { path: string; className?: string }) {
  return (
    <svg className={`icon ${className}`.trimEnd()} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

/** The site's mark: a download arrow that lands in a boat's hull, on a wave. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path className="mark-arrow" d="M16 4v10.500m-4.500-4.200 4.500 4.500 4.500-4.500" />
      <path className="mark-hull" d="M4.500 17.500h23l-3.600 6.500H8.100z" />
      <path
        className="mark-wave"
        d="M3.500 27.500c2.100 0 2.100 1.300 4.200 1.300s2.100-1.300 4.150-1.300 2.100 1.300 4.150 1.300 2.100-1.300 4.150-1.300 2.100 1.300 4.150 1.300 2.100-1.300 4.200-1.300"
      />
    </svg>
  );
}
