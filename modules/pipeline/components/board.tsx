import { DndContext, DragOverlay } from '@dnd-kit/core'
import { ArrowRight, History, Pencil, Trash2 } from 'lucide-react'
import { useCallback, useId, useMemo, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { withQuery } from '#app/lib/url.ts'
import { useRowMenu } from '#app/ui/components/row-menu.tsx'
import { dragInstructions, useBoardAnnouncements } from './board-announcements.ts'
import { nearestColumn } from './board-geometry.ts'
import { CardPreview, type CardData } from './prospect-card.tsx'
import { StageColumn, type StageData } from './stage-column.tsx'
import { useBoardDrag, type BoardSnapshot } from './use-board-drag.ts'
import type { Columns } from './use-optimistic-moves.ts'

type BoardProps = {
  stages: StageData[]
  columns: Columns
  /** The URL of the board without a dialog. */
  boardUrl: string
  /** Without JavaScript: the stage whose list starts at `from`. */
  page: { stage: number | null; from: number }
  onMove: (card: CardData, stageId: number, index: number) => void
  onReorder: (ids: number[]) => void
}

/** The stages as columns, with cards and columns that can be dragged by mouse, touch and keyboard. */
export function Board({ stages, columns, boardUrl, page, onMove, onReorder }: BoardProps) {
  const board = useRef<HTMLDivElement>(null)
  const { drag, snapshot, sensors, ...handlers } = useBoardDrag({ board, stages, columns, onMove, onReorder })
  const announcements = useBoardAnnouncements(snapshot)
  const rowMenu = useCardMenu(stages, columns, boardUrl)
  return (
    <div {...rowMenu.handlers}>
      <DndContext
        id={useId()}
        sensors={sensors}
        collisionDetection={nearestColumn}
        autoScroll={autoScroll}
        accessibility={{ announcements, screenReaderInstructions: dragInstructions }}
        {...handlers}
      >
        <div ref={board} className="pboard" role="group" aria-label="Stages">
          <BoardColumns
            stages={stages}
            columns={columns}
            boardUrl={boardUrl}
            page={page}
            drag={drag}
            onReorder={onReorder}
          />
        </div>
        <BodyPortal>
          <DragOverlay dropAnimation={null}>
            {drag?.kind === 'prospect' && <CardPreview card={drag.card} boardUrl={boardUrl} canConvert={false} />}
            {drag?.kind === 'column' && (
              <ColumnPreview name={stages.find(({ id }) => id === drag.stageId)?.name ?? ''} />
            )}
          </DragOverlay>
        </BodyPortal>
      </DndContext>
      {rowMenu.menu}
    </div>
  )
}

const maxMoveEntries = 8

function useCardMenu(stages: StageData[], columns: Columns, boardUrl: string) {
  const cards = useMemo(() => [...columns.values()].flat(), [columns])
  return useRowMenu(cards, ({ id }) => [
    { label: 'Edit Prospect', icon: Pencil, to: withQuery(boardUrl, { dialog: 'edit', prospect: String(id) }) },
    ...stages
      .filter((stage) => !columns.get(stage.id)?.some((card) => card.id === id))
      .slice(0, maxMoveEntries)
      .map((stage) => ({
        label: `Move to ${stage.name}`,
        icon: ArrowRight,
        fields: { intent: 'move', id: String(id), stageId: String(stage.id) },
      })),
    { label: 'History', icon: History, to: `/history/prospect/${id}` },
    'separator',
    {
      label: 'Delete Prospect',
      icon: Trash2,
      to: withQuery(boardUrl, { dialog: 'delete', prospect: String(id) }),
      danger: true,
    },
  ])
}

/** Slow enough to stop at the next stage on a phone. */
const autoScroll = { acceleration: 4, threshold: { x: 0.12, y: 0.2 } }

type BoardColumnsProps = Omit<BoardProps, 'onMove'> & { drag: BoardSnapshot['drag'] }

function BoardColumns({ stages, columns, boardUrl, page, drag, onReorder }: BoardColumnsProps) {
  const order = drag?.kind === 'column' ? drag.order : null
  const ordered = order ? order.flatMap((id) => stages.find((stage) => stage.id === id) ?? []) : stages
  const latestStages = useRef(stages)
  latestStages.current = stages
  const onShift = useCallback((id: number, by: -1 | 1) => onReorder(shift(latestStages.current, id, by)), [onReorder])
  const cardDrag = drag?.kind === 'prospect' ? drag : null
  return ordered.map((stage, index) => (
    <StageColumn
      key={stage.id}
      stage={stage}
      cards={columns.get(stage.id) ?? noCards}
      boardUrl={boardUrl}
      canConvert={stage === stages.at(-1)}
      dropIndex={cardDrag?.target.stageId === stage.id ? cardDrag.target.index : null}
      draggedId={cardDrag?.card.stageId === stage.id ? cardDrag.card.id : null}
      from={page.stage === stage.id ? page.from : 0}
      isFirst={index === 0}
      isLast={index === ordered.length - 1}
      onShift={onShift}
    />
  ))
}

const noCards: CardData[] = []

/** The ids of the stages after one of them was moved left or right. */
function shift(stages: StageData[], id: number, by: -1 | 1): number[] {
  const ids = stages.map((stage) => stage.id)
  const index = ids.indexOf(id)
  ids.splice(index, 1)
  ids.splice(index + by, 0, id)
  return ids
}

/** Outside of everything that scrolls, and above it. */
function BodyPortal({ children }: { children: ReactNode }) {
  return typeof document === 'undefined' ? null : createPortal(children, document.body)
}

function ColumnPreview({ name }: { name: string }) {
  return (
    <div className="pcol is-dragging">
      <div className="px-3.5 py-3 font-semibold">{name}</div>
    </div>
  )
}
