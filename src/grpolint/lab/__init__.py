"""Numeric experiments that anyone can repeat: router softmax, Muon under clipping, group sizes, memory.

Each subject has a module of plain functions (`softmax`, `muon`, `groups`, `memory`) and one of what `grpolint lab`
prints of it (`pages`). Nothing here is imported by `check`; numpy is needed by `softmax` and `muon`, matplotlib by
`figures`, and both are in the extra `lab`.
"""
