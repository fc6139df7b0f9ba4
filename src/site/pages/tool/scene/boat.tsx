/** The site's ferry from the side, its bow to the right; its load is on the open deck behind the bow. */
export function Boat() {
  return (
    <svg className="boat" viewBox="0 0 200 112" aria-hidden="true" focusable="false">
      <path className="boat-line" d="M180 78V46" />
      <path className="boat-signal" d="M180 45h17l-5 5 5 5h-17z" />
      <path
        className="boat-house"
        d="M22 78V54a4 4 0 0 1 4-4h48a4 4 0 0 1 4 4v24zM32 50V36a4 4 0 0 1 4-4h28l8 18z"
      />
      <path className="boat-funnel" d="M36 32l3-20h15l3 20z" />
      <path className="boat-signal" d="M37.800 20h17.400l1.200 7h-19.800z" />
      <path
        className="boat-window"
        d="M40 37h6v8h-6zm11 0h10l3.500 8H51zM30 58h6v6h-6zm12 0h6v6h-6zm12 0h6v6h-6zm12 0h6v6h-6z"
      />
      <path className="boat-hull" d="M8 78h184c-3 13-10 23-20 30H30C18 103 10 92 8 78z" />
      <path className="boat-signal" d="M10.500 86.500h178.300l-2 5H12.700z" />
    </svg>
  );
}
