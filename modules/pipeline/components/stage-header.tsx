import { useCurrency } from '#app/ui/components/currency.ts'
import { formatMoney } from '#app/lib/money.ts'
import { ArrowLeft, ArrowRight, Ellipsis, History, Pencil, Trash2 } from 'lucide-react'
import type { CSSProperties, SyntheticEvent } from 'react'
import { withQuery } from '#app/lib/url.ts'
import { Menu } from '#app/ui/components/menu.tsx'
import { weightedValue } from '../format.ts'
import type { CardData } from './prospect-card.tsx'
import type { StageData } from './stage-column.tsx'

type StageHeaderProps = {
  stage: StageData
  cards: CardData[]
  boardUrl: string
  headingId: string
  isFirst: boolean
  isLast: boolean
  onShift: (id: number, by: -1 | 1) => void
}

/** The name and the totals of a stage, and its menu. */
export function StageHeader({ stage, cards, headingId, ...menu }: StageHeaderProps) {
  const currency = useCurrency()
  const weighted = weightedValue(cards)
  return (
    <>
      <span className="dot" style={{ '--c': stage.color } as CSSProperties} />
      <h2 id={headingId} className="min-w-0 truncate font-semibold" title={stage.name}>
        {stage.name}
      </h2>
      <span className="num text-sm text-ink-3">
        {cards.length.toLocaleString('en-US')}
        <span className="sr-only"> {cards.length === 1 ? 'prospect' : 'prospects'}</span>
      </span>
      <span className="ml-auto grid justify-items-end text-sm leading-4 text-ink-3">
        <span className="num">
          {formatMoney(
            cards.reduce((sum, card) => sum + card.value, 0),
            currency,
            { cents: 'needed' },
          )}
        </span>
        {weighted > 0 && (
          <span className="num text-2xs">{formatMoney(weighted, currency, { cents: 'never' })} weighted</span>
        )}
      </span>
      <StageMenu stage={stage} {...menu} />
    </>
  )
}

function StageMenu({
  stage: { id, name },
  boardUrl,
  isFirst,
  isLast,
  onShift,
}: Omit<StageHeaderProps, 'cards' | 'headingId'>) {
  const dialogUrl = (dialog: string) => withQuery(boardUrl, { dialog, stage: String(id) })
  return (
    <span role="presentation" onMouseDown={stopPropagation} onTouchStart={stopPropagation}>
      <Menu
        label={`Actions for ${name}`}
        className="btn btn-ghost btn-sm btn-icon -mr-2"
        entries={[
          { label: 'Edit Stage', icon: Pencil, to: dialogUrl('edit-stage'), preventScrollReset: true },
          ...(isFirst ? [] : [{ label: 'Move left', icon: ArrowLeft, onSelect: () => onShift(id, -1) }]),
          ...(isLast ? [] : [{ label: 'Move right', icon: ArrowRight, onSelect: () => onShift(id, 1) }]),
          { label: 'History', icon: History, to: `/history/pipeline_stage/${id}` },
          'separator',
          {
            label: 'Delete Stage',
            icon: Trash2,
            to: dialogUrl('delete-stage'),
            danger: true,
            preventScrollReset: true,
          },
        ]}
      >
        <Ellipsis className="i" />
      </Menu>
    </span>
  )
}

/** Events of the menu must not start a drag. */
const stopPropagation = (event: SyntheticEvent) => event.stopPropagation()
