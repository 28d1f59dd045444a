import type { Announcements } from '@dnd-kit/core'
import { useMemo, useRef } from 'react'
import type { CardData } from './prospect-card.tsx'
import type { StageData } from './stage-column.tsx'
import type { BoardSnapshot, CardDrag } from './use-board-drag.ts'

export const dragInstructions = {
  draggable: 'Press Space to pick up, the arrow keys to move, Space to drop, Escape to cancel.',
}

/** The screen reader announcements of a drag. */
export function useBoardAnnouncements(snapshot: { readonly current: BoardSnapshot }): Announcements {
  const last = useRef('')
  return useMemo(() => {
    const announce = (text: string) => (last.current = text)
    const announceTarget = () => {
      const { drag, stages, columns } = snapshot.current
      // dnd-kit reports one more move after the drop.
      if (drag?.kind !== 'prospect') return last.current
      return announce(targetText(drag, stages, columns.get(drag.target.stageId) ?? []))
    }
    return {
      onDragStart: () => (snapshot.current.drag?.kind === 'column' ? announce('Stage picked up.') : announceTarget()),
      onDragMove: announceTarget,
      onDragOver: announceTarget,
      onDragEnd: () => announce(dropText(snapshot.current)),
      onDragCancel: () => announce('Move cancelled.'),
    }
  }, [snapshot])
}

function targetText({ card, target, hasMoved }: CardDrag, stages: StageData[], cards: CardData[]): string {
  const count = cards.filter(({ id }) => id !== card.id).length + 1
  const verb = hasMoved ? 'over' : 'picked up in'
  const position = `${stageName(stages, target.stageId)}, position ${target.index + 1} of ${count}`
  return `${card.name} is ${verb} ${position}. Space to drop, Escape to cancel.`
}

function dropText({ lastDrop, stages }: BoardSnapshot): string {
  if (lastDrop?.kind !== 'prospect') return 'Stage dropped.'
  const { card, target } = lastDrop
  return `${card.name} was dropped in ${stageName(stages, target.stageId)}, position ${target.index + 1}.`
}

const stageName = (stages: StageData[], id: number): string => stages.find((stage) => stage.id === id)?.name ?? ''
