import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT'
const typeNumbers: Record<RecordType, number> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 }
const responseCodes = { servfail: 2, nxdomain: 3, refused: 5 }

export type FakeDns = {
  /** Environment variables with which the product asks this server. */
  env: Record<string, string>
  /** Replaces the records of a name; a name without any doesn't exist. */
  set(name: string, records: Partial<Record<RecordType, string[]>>): void
  /** `silent`: no answer at all. Null: all is well again. */
  fail(name: string, how: 'silent' | 'servfail' | 'refused' | null): void
  /** 'TXT coaching.example.com' of each question. */
  questions: string[]
  close(): Promise<void>
}

/** A DNS server on this machine: it replies over UDP with the records that a test sets. */
export async function startFakeDns(): Promise<FakeDns> {
  const zone = new Map<string, Partial<Record<RecordType, string[]>>>()
  const failures = new Map<string, 'silent' | 'servfail' | 'refused'>()
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => answer(query, from))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    env: { DNS_SERVERS: `127.0.0.1:${socket.address().port}` },
    set: (name, records) => void zone.set(name, records),
    fail: (name, how) => void (how ? failures.set(name, how) : failures.delete(name)),
    questions,
    close: async () => void (await Promise.all([once(socket, 'close'), socket.close()])),
  }

  function answer(query: Buffer, { address, port }: RemoteInfo): void {
    const { name, type, end } = readQuestion(query)
    questions.push(`${type} ${name}`)
    const failure = failures.get(name)
    if (failure === 'silent') return
    const records = zone.get(name)
    const code = failure ? responseCodes[failure] : records ? 0 : responseCodes.nxdomain
    const answers = failure || !records ? [] : findAnswers(name, type, 0)
    const header = Buffer.from(query.subarray(0, 12))
    // A response; recursion is available.
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    header.fill(0, 8)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address)
  }

  /** Follows an alias, as a resolver does. */
  function findAnswers(name: string, type: RecordType | 'other', depth: number): Buffer[] {
    const records = zone.get(name) ?? {}
    if (type === 'other' || depth > 8) return []
    const own = (records[type] ?? []).map((value) => writeRecord(name, type, value))
    const [alias] = records.CNAME ?? []
    if (type === 'CNAME' || !alias) return own
    return [writeRecord(name, 'CNAME', alias), ...findAnswers(alias, type, depth + 1)]
  }
}

function readQuestion(query: Buffer): { name: string; type: RecordType | 'other'; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const number = query.readUInt16BE(at + 1)
  const type = (Object.keys(typeNumbers) as RecordType[]).find((each) => typeNumbers[each] === number) ?? 'other'
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

function writeRecord(name: string, type: RecordType, value: string): Buffer {
  const data = writeData(type, value)
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(typeNumbers[type], 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(60, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(name), fixed, data])
}

function writeData(type: RecordType, value: string): Buffer {
  if (type === 'CNAME') return writeName(value)
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'AAAA') return Buffer.from(expandIpv6(value), 'hex')
  // At most 255 bytes in a piece.
  const pieces = value.match(/[^]{1,20}/g) ?? ['']
  return Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, 'latin1')])))
}

const writeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])

function expandIpv6(address: string): string {
  const [start = '', end = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const missing = 8 - groups(start).length - groups(end).length
  return [...groups(start), ...Array.from({ length: missing }, () => '0'), ...groups(end)]
    .map((group) => group.padStart(4, '0'))
    .join('')
}
