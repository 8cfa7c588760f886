"""The paper's five data sets, with its choice of columns as the default.

Each loader looks into a folder first (``data_home``, or the one that the environment variable
``LIKEWISE_DATA`` names), then into the cache, then downloads: Census 1990 from UCI, the others from
OpenML, with checksum. Rows that repeat on the chosen features are dropped (the first is kept), then
features are scaled to mean 0 and variance 1.

>>> from likewise.datasets import load_bank
>>> bank = load_bank()  # doctest: +SKIP
>>> bank.data, bank.sensitive_features["marital"]  # doctest: +SKIP
"""

from typing import Unpack

from sklearn.utils import Bunch

from likewise.datasets.catalog import DATA_SETS
from likewise.datasets.loading import LoadOptions, load
from likewise.datasets.samples import Sample, paper_samples

__all__ = [
    "DATA_SETS",
    "Sample",
    "load",
    "load_adult",
    "load_bank",
    "load_census1990",
    "load_creditcard",
    "load_diabetes",
    "paper_samples",
]


def load_bank(**options: Unpack[LoadOptions]) -> Bunch:
    """Clients of a Portuguese bank: age, balance, duration; marital status, default.

    Parameters
    ----------
    features, protected : list of str, default=the paper's
        Which columns to cluster on and which to protect.
    drop_repeated : bool, default=True
        Keep only the first of the rows that are the same on the features.
    scale : bool, default=True
        Scale features to mean 0 and variance 1 (after rows were dropped).
    data_home : path, default=None
        The folder with the raw file; None: the one that ``LIKEWISE_DATA`` names, if any.
    download : bool, default=True
        Whether to fetch a file that is neither there nor in the cache.

    Returns
    -------
    Bunch with ``data``, ``feature_names``, ``sensitive_features`` (a dict, as ``fit`` takes it),
    ``sensitive_names``, ``rows`` (places in the raw file), ``mean``, ``scale``, ``source``,
    ``DESCR``.
    """
    return load("bank", **options)


def load_adult(**options: Unpack[LoadOptions]) -> Bunch:
    """The 32,561 census records of Adult's training file: age, final weight, hours a week; marital
    status, sex. Arguments and result as in ``load_bank``.
    """
    return load("adult", **options)


def load_creditcard(**options: Unpack[LoadOptions]) -> Bunch:
    """Credit card clients in Taiwan: age, limit, past payments and bills; marriage, education.
    Arguments and result as in ``load_bank``.
    """
    return load("creditcard", **options)


def load_census1990(**options: Unpack[LoadOptions]) -> Bunch:
    """2.4 million person records of the 1990 US census, thirteen coded answers; age, sex.
    Arguments and result as in ``load_bank``.
    """
    return load("census1990", **options)


def load_diabetes(**options: Unpack[LoadOptions]) -> Bunch:
    """Stays in 130 US hospitals: time, procedures, medications, diagnoses; gender, race.
    Arguments and result as in ``load_bank``.
    """
    return load("diabetes", **options)
