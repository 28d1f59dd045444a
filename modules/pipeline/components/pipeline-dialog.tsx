import type { SerializeFrom } from '@remix-run/node'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { GoneDialog } from '#app/ui/components/not-found-dialog.tsx'
import type { dialogOf } from '../pipeline-loader.server.ts'
import { ConvertedDialog, ProspectDialog } from './prospect-dialog.tsx'
import { DeleteStageDialog, StageDialog } from './stage-dialogs.tsx'

export type Asked = SerializeFrom<Awaited<ReturnType<typeof dialogOf>>>

/** The dialog that the address asks for. `stages` in the order of the board; `here`: the board without it. */
export function PipelineDialog({
  dialog,
  stages,
  sources,
  here,
}: {
  dialog: NonNullable<Asked>
  stages: { id: number; name: string }[]
  sources: string[]
  here: string
}) {
  const choices = stages.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <>
      {dialog.kind === 'add' && (
        <ProspectDialog
          stages={choices}
          stageId={dialog.stageId}
          products={dialog.products}
          zones={dialog.zones}
          sources={sources}
          closeTo={here}
        />
      )}
      {dialog.kind === 'edit' && (
        <ProspectDialog
          key={dialog.prospect.id}
          prospect={dialog.prospect}
          needsEmail={dialog.needsEmail}
          stages={choices}
          products={dialog.products}
          zones={dialog.zones}
          sources={sources}
          closeTo={here}
        />
      )}
      {dialog.kind === 'gone' && <GoneDialog what="Prospect" kind="prospect" closeTo={here} />}
      {dialog.kind === 'converted' && <ConvertedDialog name={dialog.name} clientId={dialog.clientId} closeTo={here} />}
      {dialog.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${dialog.name}`}
          confirm="Delete Prospect"
          busyLabel="Deleting..."
          closeTo={here}
          action={here}
          fields={{ intent: 'delete', id: String(dialog.id) }}
        >
          Are you sure you want to delete this prospect? It is kept in the trash for 30 days.
        </ConfirmDialog>
      )}
      {dialog.kind === 'add-stage' && <StageDialog places={placesOf(stages, null)} closeTo={here} />}
      {dialog.kind === 'edit-stage' && (
        <StageDialog
          key={dialog.stage.id}
          stage={{ ...dialog.stage, place: stages.findIndex(({ id }) => id === dialog.stage.id) }}
          places={placesOf(stages, dialog.stage.id)}
          closeTo={here}
        />
      )}
      {dialog.kind === 'stage-gone' && <GoneDialog what="Stage" kind="pipeline_stage" closeTo={here} />}
      {dialog.kind === 'delete-stage' && (
        <DeleteStageDialog
          key={dialog.stage.id}
          stage={dialog.stage}
          holds={dialog.holds}
          others={choices.filter(({ value }) => value !== String(dialog.stage.id))}
          closeTo={here}
        />
      )}
    </>
  )
}

/** 'First', 'After Lead', …: where a stage can stand among the others. */
function placesOf(stages: { id: number; name: string }[], own: number | null) {
  const others = stages.filter(({ id }) => id !== own)
  return [
    { value: '0', label: 'First' },
    ...others.map(({ name }, at) => ({ value: String(at + 1), label: `After ${name}` })),
  ]
}
