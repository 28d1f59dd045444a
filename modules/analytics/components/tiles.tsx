import { Link } from '#app/ui/navigation/link.tsx'
import type { OverviewSection } from '../overview-loader.server.ts'

type Tile = OverviewSection['tiles'][number]

/** The numbers of a section, each with what it is compared with. Every number opens its rows. */
export function Tiles({ tiles }: { tiles: Tile[] }) {
  return (
    <div className="stats" data-count={tiles.length}>
      {tiles.map((tile) => (
        <div key={tile.name} className="stat">
          <span className="stat-label">{tile.label}</span>
          <Link className="stat-value w-fit hover:underline" to={tile.to} aria-label={`${tile.label}: ${tile.number}`}>
            {tile.number}
          </Link>
          {tile.detail && <span className="stat-detail num">{tile.detail}</span>}
          <Earlier label="Before" tile={tile} earlier={tile.before} />
          <Earlier label="Year before" tile={tile} earlier={tile.yearBefore} />
        </div>
      ))}
    </div>
  )
}

function Earlier({ label, tile, earlier }: { label: string; tile: Tile; earlier: Tile['before'] }) {
  if (!earlier) return null
  return (
    <span className="stat-detail num">
      {label}{' '}
      <Link
        className="text-ink-2 underline decoration-line-strong underline-offset-2"
        to={earlier.to}
        aria-label={`${tile.label}, ${label.toLowerCase()}: ${earlier.number}`}
      >
        {earlier.number}
      </Link>
      {earlier.change && <span className="whitespace-nowrap"> ({earlier.change})</span>}
    </span>
  )
}
