import type { AppointmentTypeRecord } from '../records.ts'

/** The places that a visitor can choose, if the type leaves it to them. */
export const placeLabels = { video: 'Video call', phone: 'Phone', in_person: 'In person' } as const
export type PlaceChoice = keyof typeof placeLabels

type Place = Pick<AppointmentTypeRecord, 'locationKind' | 'locationDetail'>

/** Whether the form asks for a phone number: the coach calls, or may call if the visitor chooses it. */
export const asksPhone = ({ locationKind, locationDetail }: Place): boolean =>
  locationKind === 'client_choice' || (locationKind === 'phone' && !locationDetail)

/** The place of an appointment. A link is its meeting URL. */
export function toPlace(
  { locationKind, locationDetail }: Place,
  { place, phone }: { place: PlaceChoice | null; phone: string },
): { meetingUrl: string | null; location: string | null } {
  if (locationKind === 'client_choice' && place) {
    const location = place === 'phone' ? `${placeLabels.phone}: ${phone}` : placeLabels[place]
    return { meetingUrl: null, location }
  }
  if (locationKind === 'phone') return { meetingUrl: null, location: `Phone: ${locationDetail ?? phone}` }
  if (locationKind === 'video' && locationDetail && /^https:\/\//i.test(locationDetail))
    return { meetingUrl: locationDetail, location: null }
  return { meetingUrl: null, location: locationDetail ?? (locationKind === 'video' ? placeLabels.video : null) }
}

/**
 * 'Video call', 'In person, 12 Beach Road': what visitors read before they book. A link and a number come afterwards.
 */
export function describePlace({ locationKind, locationDetail }: Place): string | null {
  if (locationKind === 'none') return null
  if (locationKind === 'client_choice') return 'By video, phone or in person'
  return locationKind === 'in_person' && locationDetail
    ? `${placeLabels.in_person}, ${locationDetail}`
    : placeLabels[locationKind]
}
