"""The five data sets of the paper: which columns, from which file, from where."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class OpenML:
    """A copy at OpenML: its number, and where its columns and rows differ from the file's."""

    data_id: int
    renamed: dict[str, str] = field(default_factory=dict)  # our name -> theirs
    first_row: int = 0


@dataclass(frozen=True)
class Archive:
    """A zip archive at UCI."""

    url: str
    member: str
    sha256: str


@dataclass(frozen=True)
class DataSet:
    """Where a data set is and which of its columns the paper clusters on."""

    name: str
    title: str
    files: tuple[str, ...]  # names it goes by in a folder; one in a zip is "archive.zip/member"
    features: tuple[str, ...]
    protected: tuple[str, ...]
    n_rows: int  # of the whole file
    source: OpenML | Archive
    separator: str = ","
    header: tuple[str, ...] | None = None  # names of the columns of files that do not name them
    aliases: dict[str, str] = field(default_factory=dict)  # our name -> its name in some files
    contents: str | None = None  # SHA-256 of what is read; see ``loading.digest``


_ADULT_COLUMNS = (
    "age",
    "workclass",
    "final-weight",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
)
_PAYMENTS = ("PAY_0", "PAY_2", "PAY_3", "PAY_4", "PAY_5", "PAY_6")
_BILLS = tuple(f"BILL_AMT{month}" for month in range(1, 7))

BANK = DataSet(
    name="bank",
    title="Bank marketing: clients of a Portuguese bank (Moro et al., UCI 222)",
    files=("bank.csv",),
    separator=";",
    features=("age", "balance", "duration"),
    protected=("marital", "default"),
    n_rows=4_521,
    contents="8c273c1a0ac257a2afd0ab73bc6d5bcb55901946d726066b7a06e3f221d2d862",
    source=OpenML(
        1558,
        {"age": "V1", "marital": "V3", "default": "V5", "balance": "V6", "duration": "V12"},
    ),
)
ADULT = DataSet(
    name="adult",
    title="Adult: records of the 1994 US census (Becker and Kohavi, UCI 2)",
    files=("adult.csv", "adult.data"),
    features=("age", "final-weight", "hours-per-week"),
    protected=("marital-status", "sex"),
    n_rows=32_561,
    contents="7e00f09a5bf28304aeec34ba4b0300c4f6aad2d4ac16cca001685d729012c66b",
    source=OpenML(1590, {"final-weight": "fnlwgt"}, first_row=16_281),  # its test rows come first
    header=_ADULT_COLUMNS,
    aliases={"final-weight": "fnlwgt"},
)
CREDITCARD = DataSet(
    name="creditcard",
    title="Default of credit card clients in Taiwan (Yeh and Lien, UCI 350)",
    files=("creditcard.csv",),
    features=("AGE", "LIMIT_BAL", *_PAYMENTS, *_BILLS),
    protected=("MARRIAGE", "EDUCATION"),
    n_rows=30_000,
    contents="a85ba8512212593fd8cd62e55b38f2ab88d418d85db2954898c290bdb3b7ef29",
    source=OpenML(
        42477,
        {
            "LIMIT_BAL": "x1",
            "EDUCATION": "x3",
            "MARRIAGE": "x4",
            "AGE": "x5",
            **{name: f"x{place}" for place, name in enumerate(_PAYMENTS, 6)},
            **{name: f"x{place}" for place, name in enumerate(_BILLS, 12)},
        },
    ),
)
CENSUS1990 = DataSet(
    name="census1990",
    title="US Census 1990: a one per cent sample of person records (Meek et al., UCI 116)",
    files=("census1990.csv", "USCensus1990.data.txt", "census1990.zip/USCensus1990.data.txt"),
    features=(
        "dAncstry1",
        "dAncstry2",
        "iAvail",
        "iCitizen",
        "iClass",
        "dDepart",
        "iFertil",
        "iDisabl1",
        "iDisabl2",
        "iEnglish",
        "iFeb55",
        "dHispanic",
        "dHour89",
    ),
    protected=("dAge", "iSex"),
    n_rows=2_458_285,
    source=Archive(
        "https://archive.ics.uci.edu/static/public/116/us+census+data+1990.zip",
        "USCensus1990.data.txt",
        "a9a1b84168456ab65b0f2fba7df2c1025aac15b61cd9667c6459f83dcf30b61a",
    ),
)
DIABETES = DataSet(
    name="diabetes",
    title="Diabetes: stays in 130 US hospitals, 1999 to 2008 (Strack et al., UCI 296)",
    files=("diabetic_data.csv", "diabetes.csv", "diabetes.zip/diabetic_data.csv"),
    features=(
        "time_in_hospital",
        "num_lab_procedures",
        "num_procedures",
        "num_medications",
        "number_diagnoses",
    ),
    protected=("gender", "race"),
    n_rows=101_766,
    contents="cc527a55cd1361ca44277b9517a6dbffc4e5fb596617349b6844307dbf15c8a0",
    source=OpenML(4541),
)

DATA_SETS = {each.name: each for each in (BANK, ADULT, CREDITCARD, CENSUS1990, DIABETES)}
