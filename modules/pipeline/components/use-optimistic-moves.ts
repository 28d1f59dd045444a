import { useCallback, useMemo } from 'react'
import { useOptimisticMoves, type MoveResponse } from '#app/ui/dnd/use-optimistic-moves.ts'
import { useSame } from '#app/ui/use-same.ts'
import type { CardData } from './prospect-card.tsx'
import type { StageData } from './stage-column.tsx'

export type Columns = Map<number, CardData[]>
/** Moves a card before another one, or (null) to the end of a stage. `position` null: the end. */
type CardMove = { card: CardData; stageId: number; beforeId: number | null; position: number | null }

/** The cards by stage, with pending moves. `moveCard` takes the index in the stage, not counting the card itself. */
export function useCardMoves(
  stages: StageData[],
  cards: CardData[],
  isFiltered: boolean,
  revalidate: () => Promise<boolean>,
) {
  const sameCards = useSame(cards)
  const loaded = useMemo(() => groupByStage(stages, sameCards), [stages, sameCards])
  const { state, latest, move } = useOptimisticMoves(loaded, {
    apply: applyCardMove,
    toRequest: ({ card, stageId, position }) => ({
      method: 'PATCH',
      path: `/api/prospects/${card.id}`,
      body: { stageId, ...(position === null ? {} : { position }) },
    }),
    failureText: cardFailureText,
    revalidate,
  })

  const moveCard = useCallback(
    (card: CardData, stageId: number, index: number) => {
      const others = (latest.current.get(stageId) ?? []).filter(({ id }) => id !== card.id)
      const position = isFiltered ? unfilteredPosition(others, index, card, stageId) : index
      move({ card, stageId, beforeId: others[index]?.id ?? null, position })
    },
    [isFiltered, latest, move],
  )
  return { columns: state, moveCard }
}

/** The stages, with pending changes of their order. */
export function useStageOrder(stages: StageData[], revalidate: () => Promise<boolean>) {
  const { state, move } = useOptimisticMoves<StageData[], number[]>(stages, {
    apply: applyStageOrder,
    toRequest: (ids) => ({
      method: 'POST',
      path: '/api/pipeline/stages/reorder',
      body: { stages: ids.map((id, order) => ({ id, order })) },
    }),
    failureText: () => 'Failed to reorder stages. Please try again.',
    revalidate,
  })
  return { orderedStages: state, reorderStages: move }
}

function groupByStage(stages: StageData[], cards: CardData[]): Columns {
  const columns: Columns = new Map(stages.map(({ id }) => [id, []]))
  for (const card of cards) columns.get(card.stageId)?.push(card)
  return columns
}

function applyCardMove(columns: Columns, { card, stageId, beforeId }: CardMove): Columns {
  // The card may be deleted since.
  const origin = [...columns].find(([, cards]) => cards.some(({ id }) => id === card.id))
  if (!origin || !columns.has(stageId)) return columns
  const [originId, originCards] = origin
  const moved = originCards.find(({ id }) => id === card.id)!
  const next = new Map(columns).set(
    originId,
    originCards.filter((other) => other !== moved),
  )
  const target = [...next.get(stageId)!]
  const index = target.findIndex(({ id }) => id === beforeId)
  target.splice(index < 0 ? target.length : index, 0, moved.stageId === stageId ? moved : { ...moved, stageId })
  return next.set(stageId, target)
}

function applyStageOrder(stages: StageData[], ids: number[]): StageData[] {
  const ordered = ids.flatMap((id) => stages.find((stage) => stage.id === id) ?? [])
  return ordered.length === stages.length ? ordered : stages
}

/** The position among all cards of the stage, including those that the filter hides; null: the end. */
function unfilteredPosition(others: CardData[], index: number, card: CardData, stageId: number): number | null {
  const [before, after] = [others[index - 1], others[index]]
  const rank = after ? after.rank : before ? before.rank + 1 : null
  if (rank === null) return null
  return card.stageId === stageId && card.rank < rank ? rank - 1 : rank
}

async function cardFailureText({ card, stageId }: CardMove, { status, message }: MoveResponse): Promise<string> {
  if (status === 401) return 'User session invalid. Please refresh the page.'
  if (status === 404)
    return (await stageExists(stageId))
      ? `${card.name} was deleted or converted. Check the trash or your clients.`
      : `This stage was deleted. ${card.name} is back where it was.`
  return status >= 400 && status < 500
    ? `Failed to update prospect: ${status} - ${message}`
    : 'Failed to move prospect. Please try again.'
}

async function stageExists(id: number): Promise<boolean> {
  const response = await fetch(`/api/pipeline/stages/${id}`).catch(() => null)
  return response?.status !== 404
}
