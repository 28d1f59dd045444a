import { buffer } from 'node:stream/consumers'
import { formatDateTime } from '#app/lib/time.ts'
import { listClientOptions, listClientTags } from '#modules/crm/index.ts'
import { describeDevice } from '#tenants/auth/device.ts'
import type { Ctx } from '#tenants/context.ts'
import { isPlayable } from '#tenants/files/content-type.ts'
import { findSource } from '#tenants/files/files.ts'
import { audiences } from './fields.ts'
import { formatSize } from './format.ts'
import { getShareUrl } from './public-link.ts'
import { findVersion, getFileForEdit, listVersions } from './queries/files.ts'
import { listFolderOptions } from './queries/folders.ts'
import { listOpens, listShares, type ShareRecord } from './queries/shares.ts'
import { resource, type ResourceRecord } from './records.ts'

/** Rows of each list of the page. */
const listedRows = 50
const maxClients = 500

/** A resource with its versions, who may open it and who did. Throws not_found. */
export async function loadResource(ctx: Ctx, id: number) {
  const found = await getFileForEdit(ctx, id)
  if (!found) throw resource.notFound()
  const [versions, shares, opens, clients, folders, clientTags] = await Promise.all([
    listVersions(ctx, id, { rows: listedRows }),
    listShares(ctx, id, { rows: listedRows }),
    listOpens(ctx, id, { rows: listedRows }),
    listClientOptions(ctx, { rows: maxClients }),
    listFolderOptions(ctx),
    listClientTags(ctx),
  ])
  const { name, type, clientId, folderId, tags, url, size, fileType, version } = found
  const at = (instant: string) => formatDateTime(instant, ctx.account)
  return {
    preview: await loadPreview(ctx, found),
    file: { id, name, type, url, version, size: formatSize(size), fileType, uploadedAt: at(found.createdAt) },
    values: {
      name,
      clientId: String(clientId ?? ''),
      folderId: String(folderId ?? ''),
      tags: tags.join(', '),
      fileUrl: url ?? '',
    },
    versions: versions.map(({ number, fileName, size: bytes, createdAt }) => ({
      number,
      fileName,
      size: formatSize(bytes),
      at: at(createdAt),
    })),
    shares: shares.map((share) => toShare(ctx, share, at)),
    opens: opens.map((open) => ({
      id: open.id,
      who: open.clientName ?? 'Somebody with the link',
      device: describeDevice(open.userAgent),
      at: at(open.createdAt),
    })),
    clientTags: clientTags.map(({ tag, clients: count }) => ({ tag, count })),
    clients: clients.map((client) => ({ id: client.id, name: client.name })),
    folders: folders.map((folder) => ({ id: folder.id, name: folder.name })),
    hasHost: ctx.account.subdomain !== null,
    canEmail: ctx.account.emailVerified,
  }
}

export type Preview =
  | { kind: 'picture' | 'video' | 'audio' | 'pdf'; url: string }
  | { kind: 'text'; text: string; isCut: boolean }

/** Characters of a text, and at most four bytes each. */
const previewLength = 2_000

/** The file as far as a browser shows it without running anything of it; null for all else. */
async function loadPreview(ctx: Ctx, { id, previewUrl, fileType, size }: ResourceRecord): Promise<Preview | null> {
  if (fileType === null) return null
  if (previewUrl) return { kind: 'picture', url: previewUrl }
  if (fileType === 'application/pdf') return { kind: 'pdf', url: `/api/files/${id}/view` }
  if (isPlayable(fileType)) {
    const kind = fileType.startsWith('video/') ? 'video' : 'audio'
    return { kind, url: `/api/files/${id}/download` }
  }
  if (fileType !== 'text/plain') return null
  const version = await findVersion(ctx, id)
  const { read } = await findSource(ctx, version!.storedFileId)
  // Without its store a file has no preview.
  const head = await read({ start: 0, end: previewLength * 4 - 1 }).then(buffer, () => null)
  if (!head) return null
  const text = [...new TextDecoder().decode(head)].slice(0, previewLength).join('')
  return { kind: 'text', text, isCut: Buffer.byteLength(text) < size! }
}

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`)

function toShare(ctx: Ctx, share: ShareRecord, at: (instant: string) => string) {
  const { id, audience, clientId, clientName, tag, isProtected, expiresAt, maxOpens, opens, sentAt } = share
  const isExpired = expiresAt !== null && new Date(expiresAt) <= ctx.now()
  const isForMany = audience === 'all' || audience === 'tag'
  const isUsedUp = !isForMany && maxOpens !== null && opens >= maxOpens
  return {
    id,
    audience,
    who: clientName ?? (tag === null ? audiences[audience] : `Clients tagged “${tag}”`),
    state: isExpired ? ('expired' as const) : isUsedUp ? ('used' as const) : ('open' as const),
    // Each of several clients has a link of their own, in their email.
    url: isForMany ? null : getShareUrl(ctx, id, clientId),
    details: [
      maxOpens === null || isForMany ? `opened ${formatTimes(opens)}` : `opened ${opens} of ${maxOpens} times`,
      isForMany && maxOpens !== null && `each client at most ${formatTimes(maxOpens)}`,
      expiresAt && `until ${at(expiresAt)}`,
      isProtected && 'with a password',
      sentAt && `emailed ${at(sentAt)}`,
    ]
      .filter(Boolean)
      .join(', '),
  }
}
