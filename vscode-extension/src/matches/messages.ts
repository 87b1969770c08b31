/** The messages between the view "Matches" and its page. */

import type { MatchedPlace } from "../protocol";
import type { MatchesView } from "./matchesData";

export type ToMatchesPage = { type: "matches"; view: MatchesView } | { type: "problem"; text: string };
export type FromMatchesPage = { type: "ready" } | { type: "open"; place: MatchedPlace };
